import { posix } from 'node:path';
import { readTar } from '../engine/archive.ts';
import type { Container, PathChange } from '../engine/engine.ts';
import type { ImageIndex } from '../image/image-tree.ts';
import { isSameContent } from './same-content.ts';
import { UnverifiableWork } from './unverifiable-work.ts';

/**
 * What differs from the image in the volumes that it declares, as the engine's own list, which leaves them out, would have it. Throws
 * {@link UnverifiableWork} for a volume that holds more than `limitBytes`.
 */
export async function volumeChanges(
  container: Pick<Container, 'get'>,
  from: { readonly index: ImageIndex; readonly volumes: readonly string[]; readonly limitBytes: number },
  signal: AbortSignal,
): Promise<PathChange[]> {
  const changes: PathChange[] = [];
  for (const volume of from.volumes.map((path) => posix.resolve('/', path)))
    changes.push(...(await changesIn(container, { ...from, volume }, signal)));
  return changes;
}

async function changesIn(
  container: Pick<Container, 'get'>,
  {
    volume,
    index,
    limitBytes,
  }: { readonly volume: string; readonly index: ImageIndex; readonly limitBytes: number },
  signal: AbortSignal,
): Promise<PathChange[]> {
  const tar = await container.get(volume, signal);
  if (tar === undefined) return [];
  const missing = new Set([...index.entries.keys()].filter((path) => path.startsWith(`${volume}/`)));
  const changes: PathChange[] = [];
  let bytes = 0;
  for await (const entry of readTar(tar)) {
    const path = posix.join(posix.dirname(volume), entry.path);
    bytes += entry.size;
    if (bytes > limitBytes)
      throw new UnverifiableWork('too-large', `${path}: volumes beyond ${limitBytes} bytes are not read`);
    if (path === volume) continue;
    missing.delete(path);
    const pristine = index.entries.get(path);
    if (pristine === undefined) changes.push({ path, kind: 'added' });
    else if ((pristine.mode & 0o7777) !== (entry.mode & 0o7777) || !(await isSameContent(entry, pristine)))
      changes.push({ path, kind: 'modified' });
  }
  const gone = [...missing].filter((path) => !missing.has(posix.dirname(path)));
  return [...changes, ...gone.map((path): PathChange => ({ path, kind: 'deleted' }))];
}
