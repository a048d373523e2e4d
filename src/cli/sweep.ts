import type { LockOwner } from '../base/lock-file.ts';
import { type Engine, LABEL, type OwnedObject } from '../engine/engine.ts';

const ORDER = ['container', 'image', 'volume', 'network'];

/** The process that an object belongs to; undefined for what outlives runs. */
export function ownerOf({ labels }: OwnedObject): LockOwner | undefined {
  const pid = labels[LABEL.ownerPid];
  return pid === undefined ? undefined : { pid: Number(pid), host: labels[LABEL.ownerHost] ?? '' };
}

/** Objects of runs whose owner is dead: found by label alone, never by name. Containers first, so that images are free. */
export async function leftovers(
  engine: Engine,
  isDead: (owner: LockOwner) => boolean,
  signal: AbortSignal,
): Promise<OwnedObject[]> {
  const owned = await engine.owned({ [LABEL.managed]: '1', [LABEL.ownerPid]: '' }, signal);
  return owned
    .filter((object) => {
      const owner = ownerOf(object);
      return owner !== undefined && isDead(owner);
    })
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/** Removes them one after another; returns those that stay, with the engine's reason. */
export async function removeAll(
  engine: Engine,
  objects: readonly OwnedObject[],
  signal: AbortSignal,
): Promise<string[]> {
  const failures: string[] = [];
  for (const object of objects) {
    await engine.remove(object, signal).catch((error: unknown) => {
      failures.push(`${object.kind} ${object.name}: ${error instanceof Error ? error.message : error}`);
    });
  }
  return failures;
}
