import { isDead, type LockOwner } from '../base/lock-file.ts';
import { type Engine, LABEL, type OwnedObject } from '../engine/engine.ts';
import type { Problem } from '../model/problem.ts';
import { ownerOf } from './sweep.ts';

/** Made by the set-up and by `npm run stand-ins`: no run makes these again. */
const KEPT: ReadonlySet<string | undefined> = new Set(['rootfs', 'stand-in']);

/** What was built, and the run at work that may need any of it. */
export interface BuiltObjects {
  readonly objects: readonly OwnedObject[];
  /** Absent: nobody needs them now. */
  readonly needed?: RunAtWork;
}

/** The process of a run that has not ended. */
export type RunAtWork = Pick<LockOwner, 'pid' | 'host'>;

/**
 * Images and volumes that no run owns: caches, rebuilt when needed. What others than runs made is kept. An image
 * that somebody built on one of ours inherits its labels, so the name must be ours too.
 */
export async function builtObjects(engine: Engine, signal: AbortSignal): Promise<BuiltObjects> {
  const all = await engine.owned({ [LABEL.managed]: '1' }, signal);
  const caches = all.filter(
    ({ kind, name, labels }) =>
      (kind === 'image' || kind === 'volume') &&
      /^skillpair[/-]/.test(name) &&
      labels[LABEL.run] === undefined &&
      !KEPT.has(labels[LABEL.kind]),
  );
  const isVolume = (object: OwnedObject) => Number(object.kind === 'volume');
  const objects = caches.sort((a, b) => isVolume(b) - isVolume(a) || b.createdAt.localeCompare(a.createdAt));
  const owner = all.map(ownerOf).find((one) => one !== undefined && !isDead(one));
  return { objects, ...(owner === undefined ? {} : { needed: { pid: owner.pid, host: owner.host } }) };
}

/** Why what was built stays while a run is at work. */
export function atWork({ pid, host }: RunAtWork): Problem {
  const message = `a run is at work (process ${pid} on ${host}) and needs its images`;
  return { severity: 'error', message, repair: 'wait for it to end, or clean without --images' };
}
