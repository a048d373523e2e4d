import type { LockOwner } from '../base/lock-file.ts';
import { type Engine, LABEL, type OwnedObject } from '../engine/engine.ts';

const ORDER = ['container', 'image', 'volume', 'network'];

/** The process that an object belongs to; undefined for what outlives runs. */
export function ownerOf({ labels }: OwnedObject): LockOwner | undefined {
  const pid = labels[LABEL.ownerPid];
  if (pid === undefined) return undefined;
  return { pid: Number(pid), host: labels[LABEL.ownerHost] ?? '', life: labels[LABEL.ownerLife] };
}

/**
 * Objects of the owners that are meant. They have our labels and look as we make them: what somebody makes of an image that was made of one
 * of our containers has inherited the labels, and is theirs. Containers first, so that images are free.
 */
export async function objectsOf(
  engine: Engine,
  isMeant: (owner: LockOwner) => boolean,
  signal: AbortSignal,
): Promise<OwnedObject[]> {
  const owned = await engine.owned({ [LABEL.managed]: '1', [LABEL.ownerPid]: '' }, signal);
  return owned
    .filter((object) => {
      const owner = ownerOf(object);
      return owner !== undefined && isAsWeMakeThem(object) && isMeant(owner);
    })
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/** Images that belong to a process have no tag. */
function isAsWeMakeThem({ kind, id, name }: OwnedObject): boolean {
  return kind === 'image' ? name === id : name.startsWith('skillpair-');
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
