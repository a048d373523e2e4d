import { rm } from 'node:fs/promises';
import { canonicalJson } from '../../base/canonical-json.ts';
import { isDead } from '../../base/lock-file.ts';
import type { OwnedObject } from '../../engine/engine.ts';
import { formatMany } from '../../report/format.ts';
import { keptSum, packagesDir } from '../../run/packages/package-file.ts';
import { builtObjects } from '../built-objects.ts';
import { reachEngine } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { CACHE_DIR } from '../load-experiment.ts';
import { objectsOf, removeAll } from '../sweep.ts';

interface CleanFlags {
  readonly images: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

const NONE = { verifiers: 0, bytes: 0 };

interface Cleaned {
  readonly objects: readonly OwnedObject[];
  readonly failures: readonly string[];
  readonly packages: typeof NONE;
}

/** `skillpair clean`: removes what carries our labels and belongs to no living run; with `--images` also what was built. */
export async function cleanCommand(
  environment: Environment,
  _arguments: readonly string[],
  flags: CleanFlags,
): Promise<number> {
  const { engine } = await reachEngine(environment);
  const signal = AbortSignal.timeout(600_000);
  const dead = await objectsOf(engine, isDead, signal);
  const objects = flags.images ? [...dead, ...(await builtObjects(engine, signal))] : dead;
  const packages = flags.images ? await keptSum(packagesDir(CACHE_DIR)) : NONE;
  const failures = flags.dryRun ? [] : await removeAll(engine, objects, signal);
  // What is known of images goes with them, and what verifiers downloaded; both are made again when they are needed.
  if (flags.images && !flags.dryRun) await rm(CACHE_DIR, { recursive: true, force: true });
  print(environment, flags, { objects, failures, packages });
  return failures.length === 0 ? EXIT.ok : EXIT.incomplete;
}

function print(
  { stdout, stderr }: Environment,
  { json, dryRun }: CleanFlags,
  { objects, failures, packages }: Cleaned,
): void {
  if (json) {
    say(stdout, canonicalJson({ schemaVersion: 1, dryRun, objects, failures, packages }));
    return;
  }
  for (const object of objects) say(stdout, `${object.kind} ${object.name}`);
  say(stdout, `${objects.length - failures.length} objects ${dryRun ? 'would be removed' : 'removed'}`);
  if (packages.verifiers > 0) {
    const size = `${(packages.bytes / 1e6).toFixed(1)} MB`;
    say(
      stdout,
      `packages of ${formatMany(packages.verifiers, 'verifier')}, ${size}, ${dryRun ? 'would be removed' : 'removed'}`,
    );
  }
  for (const failure of failures) say(stderr, `error: could not remove ${failure}`);
}
