import { rm } from 'node:fs/promises';
import { canonicalJson } from '../../base/canonical-json.ts';
import { isDead } from '../../base/lock-file.ts';
import { type Engine, LABEL, type OwnedObject } from '../../engine/engine.ts';
import { InputError } from '../../model/problem.ts';
import { formatMany } from '../../report/format.ts';
import { keptSum, packagesDir } from '../../run/packages/package-file.ts';
import { reachEngine } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { CACHE_DIR } from '../load-experiment.ts';
import { objectsOf, ownerOf, removeAll } from '../sweep.ts';

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
  const objects = flags.images ? [...dead, ...(await built(engine, signal))] : dead;
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

/** Made by the set-up and by `npm run stand-ins`: no run makes these again. */
const KEPT: ReadonlySet<string | undefined> = new Set(['rootfs', 'stand-in']);

/**
 * Images and volumes that no run owns: caches, rebuilt when needed. What others than runs made is kept. An image
 * that somebody built on one of ours inherits its labels, so the name must be ours too.
 */
async function built(engine: Engine, signal: AbortSignal): Promise<OwnedObject[]> {
  const all = await engine.owned({ [LABEL.managed]: '1' }, signal);
  refuseWhileRunning(all);
  const caches = all.filter(
    ({ kind, name, labels }) =>
      (kind === 'image' || kind === 'volume') &&
      /^skillpair[/-]/.test(name) &&
      labels[LABEL.run] === undefined &&
      !KEPT.has(labels[LABEL.kind]),
  );
  const isVolume = (object: OwnedObject) => Number(object.kind === 'volume');
  return caches.sort((a, b) => isVolume(b) - isVolume(a) || b.createdAt.localeCompare(a.createdAt));
}

function refuseWhileRunning(all: readonly OwnedObject[]): void {
  const owner = all.map(ownerOf).find((one) => one !== undefined && !isDead(one));
  if (owner === undefined) return;
  const message = `a run is at work (process ${owner.pid} on ${owner.host}) and needs its images`;
  throw new InputError([
    { severity: 'error', message, repair: 'wait for it to end, or clean without --images' },
  ]);
}
