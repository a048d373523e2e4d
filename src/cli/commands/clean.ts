import { canonicalJson } from '../../base/canonical-json.ts';
import { isDead } from '../../base/lock-file.ts';
import { type Engine, LABEL, type OwnedObject } from '../../engine/engine.ts';
import { reachEngine } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { leftovers, removeAll } from '../sweep.ts';

/** `skillpair clean`: removes what carries our labels and belongs to no living run; with `--images` also what was built. */
export async function cleanCommand(
  environment: Environment,
  _arguments: readonly string[],
  flags: { images: boolean; dryRun: boolean; json: boolean },
): Promise<number> {
  const { engine } = await reachEngine(environment);
  const signal = AbortSignal.timeout(600_000);
  const objects = [
    ...(await leftovers(engine, isDead, signal)),
    ...(flags.images ? await built(engine, signal) : []),
  ];
  const failures = flags.dryRun ? [] : await removeAll(engine, objects, signal);
  if (flags.json)
    say(environment.stdout, canonicalJson({ schemaVersion: 1, dryRun: flags.dryRun, objects, failures }));
  else {
    for (const object of objects) say(environment.stdout, `${object.kind} ${object.name}`);
    const verb = flags.dryRun ? 'would be removed' : 'removed';
    say(environment.stdout, `${objects.length - failures.length} objects ${verb}`);
    for (const failure of failures) say(environment.stderr, `error: could not remove ${failure}`);
  }
  return failures.length === 0 ? EXIT.ok : EXIT.incomplete;
}

/**
 * Images and volumes that no run owns: caches, rebuilt when needed. The root file system is kept; it is set-up. An image
 * that somebody built on one of ours inherits its labels, so the name must be ours too.
 */
async function built(engine: Engine, signal: AbortSignal): Promise<OwnedObject[]> {
  const all = await engine.owned({ [LABEL.managed]: '1' }, signal);
  const caches = all.filter(
    ({ kind, name, labels }) =>
      (kind === 'image' || kind === 'volume') &&
      /^skillpair[/-]/.test(name) &&
      labels[LABEL.run] === undefined &&
      labels[LABEL.kind] !== 'rootfs',
  );
  return caches.sort((a, b) =>
    a.kind === b.kind ? b.createdAt.localeCompare(a.createdAt) : a.kind < b.kind ? 1 : -1,
  );
}
