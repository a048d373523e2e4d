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
import { keptEvidence, removeEvidence } from '../task-gate/evidence-folder.ts';

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
  /** Folders with the evidence of `task check`, below the current one. */
  readonly evidence: readonly string[];
  /** With a dry run alone: the run at work, and what stays for it. */
  readonly needed?: RunAtWork;
  readonly inUse?: readonly OwnedObject[];
}

/** `skillpair clean`: removes what carries our labels and belongs to no living run, and the evidence of checks; with `--images` also what was built. */
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
  const evidence = await keptEvidence(environment.cwd);
  if (!flags.dryRun) await removeEvidence(evidence);
  const kept = needed === undefined ? {} : { needed, inUse: built.objects };
  print(environment, flags, { objects, failures, packages, evidence, ...kept });
  return failures.length === 0 ? EXIT.ok : EXIT.incomplete;
}

function print(environment: Environment, { json, dryRun }: CleanFlags, cleaned: Cleaned): void {
  if (json) say(environment.stdout, canonicalJson({ schemaVersion: 1, dryRun, ...cleaned }));
  else printLines(environment, dryRun, cleaned);
}

function printLines({ stdout, stderr }: Environment, dryRun: boolean, cleaned: Cleaned): void {
  const { objects, failures, packages, evidence, needed } = cleaned;
  const done = dryRun ? 'would be removed' : 'removed';
  for (const object of objects) say(stdout, `${object.kind} ${object.name}`);
  for (const { kind, name } of cleaned.inUse ?? []) say(stdout, `${kind} ${name} (stays: a run is at work)`);
  say(stdout, `${formatMany(objects.length - failures.length, 'object')} ${done}`);
  if (packages.verifiers > 0) {
    const size = `${(packages.bytes / 1e6).toFixed(1)} MB`;
    say(stdout, `packages of ${formatMany(packages.verifiers, 'verifier')}, ${size}, ${done}`);
  }
  if (evidence.length > 0) say(stdout, `evidence of ${formatMany(evidence.length, 'task check')} ${done}`);
  if (needed !== undefined) say(stderr, `${atWork(needed).message}: ${atWork(needed).repair}`);
  for (const failure of failures) say(stderr, `error: could not remove ${failure}`);
}
