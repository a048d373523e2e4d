import { posix } from 'node:path';
import type { Container } from '../engine/engine.ts';
import type { Notice } from '../model/attempt.ts';
import { isWithin } from './is-within.ts';
import { VERIFIER_FOLDERS } from './restoration.ts';

/**
 * Brings what an agent left in volumes that its image declares into a container of its snapshot, which has them as the image
 * made them: a commit leaves volumes out. A volume that shares a path with a folder of the verifier, or that lies in one of `caches`, is
 * left alone.
 */
export async function copyVolumes(
  between: { readonly agent: Container; readonly verifier: Container },
  from: { readonly volumes: readonly string[]; readonly caches: readonly string[] },
  signal: AbortSignal,
): Promise<Notice[]> {
  const copied: string[] = [];
  for (const volume of from.volumes.map((path) => posix.resolve('/', path))) {
    if (VERIFIER_FOLDERS.some((folder) => isWithin(folder, volume) || isWithin(volume, folder))) continue;
    if (from.caches.some((folder) => isWithin(volume, folder))) continue;
    const tar = await between.agent.get(volume, signal);
    if (tar === undefined) continue;
    await between.verifier.put(tar, posix.dirname(volume), signal);
    copied.push(volume);
  }
  if (copied.length === 0) return [];
  const detail =
    'volumes of the image are no part of a snapshot: their files were copied, and those that the agent deleted there are back';
  return [{ code: 'volumes-copied', detail, paths: copied }];
}
