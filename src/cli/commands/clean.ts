import { rm } from 'node:fs/promises';
import { canonicalJson } from '../../base/canonical-json.ts';
import { isDead } from '../../base/lock-file.ts';
import type { Engine, OwnedObject } from '../../engine/engine.ts';
import { InputError } from '../../model/problem.ts';
import { formatMany } from '../../report/format.ts';
import { keptSum, packagesDir } from '../../run/packages/package-file.ts';
import { atWork, type BuiltObjects, builtObjects, type RunAtWork } from '../built-objects.ts';
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
  /** With a dry run alone: the run at work, and what stays for it. */
  readonly needed?: RunAtWork;
  readonly inUse?: readonly OwnedObject[];
}

/** `skillpair clean`: removes what carries our labels and belongs to no living run; with `--images` also what was built. */
export async function cleanCommand(
  environment: Environment,
  _arguments: readonly string[],
  flags: CleanFlags,
): Promise<number> {
  const { engine } = await reachEngine(environment);
  return cleanEngine(environment, engine, flags);
}

/** The command on an engine that answers. A dry run shows what stays for a run at work too. Throws InputError where its images would go. */
export async function cleanEngine(
  environment: Environment,
  engine: Engine,
  flags: CleanFlags,
): Promise<number> {
  const signal = AbortSignal.timeout(600_000);
  const dead = await objectsOf(engine, isDead, signal);
  const built: BuiltObjects = flags.images ? await builtObjects(engine, signal) : { objects: [] };
  const { needed } = built;
  if (needed !== undefined && !flags.dryRun) throw new InputError([atWork(needed)]);
  const objects = [...dead, ...(needed === undefined ? built.objects : [])];
  const isWhole = flags.images && needed === undefined;
  const packages = isWhole ? await keptSum(packagesDir(CACHE_DIR)) : NONE;
  const failures = flags.dryRun ? [] : await removeAll(engine, objects, signal);
  // What is known of images goes with them, and what verifiers downloaded; both are made again when they are needed.
  if (flags.images && !flags.dryRun) await rm(CACHE_DIR, { recursive: true, force: true });
  const kept = needed === undefined ? {} : { needed, inUse: built.objects };
  print(environment, flags, { objects, failures, packages, ...kept });
  return failures.length === 0 ? EXIT.ok : EXIT.incomplete;
}

function print(
  { stdout, stderr }: Environment,
  { json, dryRun }: CleanFlags,
  { objects, failures, packages, needed, inUse = [] }: Cleaned,
): void {
  if (json) {
    say(
      stdout,
      canonicalJson({
        ...{ schemaVersion: 1, dryRun, objects, failures, packages },
        ...(needed === undefined ? {} : { needed, inUse }),
      }),
    );
    return;
  }
  for (const object of objects) say(stdout, `${object.kind} ${object.name}`);
  for (const object of inUse) say(stdout, `${object.kind} ${object.name} (stays: a run is at work)`);
  const count = formatMany(objects.length - failures.length, 'object');
  say(stdout, `${count} ${dryRun ? 'would be removed' : 'removed'}`);
  if (packages.verifiers > 0) {
    const size = `${(packages.bytes / 1e6).toFixed(1)} MB`;
    say(
      stdout,
      `packages of ${formatMany(packages.verifiers, 'verifier')}, ${size}, ${dryRun ? 'would be removed' : 'removed'}`,
    );
  }
  if (needed !== undefined) say(stderr, `${atWork(needed).message}: ${atWork(needed).repair}`);
  for (const failure of failures) say(stderr, `error: could not remove ${failure}`);
}
