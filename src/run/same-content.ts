import { createHash } from 'node:crypto';
import type { ReadEntry } from '../engine/archive.ts';
import type { IndexEntry } from '../image/image-tree.ts';

/** Whether an entry is what the image has in its place: kind, a link's target, a file's bytes, which are read. A further name of a file never is. */
export async function isSameContent(entry: ReadEntry, pristine: IndexEntry): Promise<boolean> {
  if (entry.kind !== pristine.kind) return false;
  if (entry.kind === 'link') return entry.target === pristine.target;
  if (entry.kind === 'folder') return true;
  if (entry.size !== pristine.size) return false;
  const hash = createHash('sha256');
  for await (const chunk of entry.content) hash.update(chunk as Uint8Array);
  return `sha256:${hash.digest('hex')}` === pristine.digest;
}
