import { isDead } from '../base/lock-file.ts';
import { type Engine, LABEL, type OwnedObject } from '../engine/engine.ts';
import { InputError } from '../model/problem.ts';
import { ownerOf } from './sweep.ts';

/** Made by the set-up and by `npm run stand-ins`: no run makes these again. */
const KEPT: ReadonlySet<string | undefined> = new Set(['rootfs', 'stand-in']);

/**
 * Images and volumes that no run owns: caches, rebuilt when needed. What others than runs made is kept. An image
 * that somebody built on one of ours inherits its labels, so the name must be ours too. Rejects with InputError while a run is at work.
 */
export async function builtObjects(engine: Engine, signal: AbortSignal): Promise<OwnedObject[]> {
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
