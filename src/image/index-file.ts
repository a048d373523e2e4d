import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { atomicWrite } from '../base/atomic-write.ts';
import { type ImageIndex, type IndexEntry, makeImageIndex } from './image-tree.ts';

const Stored = z.object({
  schemaVersion: z.literal(1),
  image: z.string(),
  users: z.array(z.object({ name: z.string(), uid: z.number(), gid: z.number(), home: z.string() })),
  entries: z.array(
    z.tuple([
      z.string(),
      z.enum(['file', 'folder', 'link', 'other']),
      z.number(),
      z.number(),
      z.number(),
      z.number(),
      z.string().nullable(),
    ]),
  ),
});

/** Writes an index as gzipped JSON, whole or not at all. */
export async function writeIndexFile(path: string, index: ImageIndex): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await atomicWrite(path, await promisify(gzip)(serialize(index), { level: 4 }));
}

function serialize({ image, users, entries }: ImageIndex): string {
  const rows = [...entries].map(([path, { kind, mode, uid, gid, size, digest, target }]) => [
    path,
    kind,
    mode,
    uid,
    gid,
    size,
    digest ?? target ?? null,
  ]);
  return JSON.stringify({ schemaVersion: 1, image, users, entries: rows });
}

/** Reads an index back; undefined where there is none of this image or it cannot be read: then it is made anew. */
export async function readIndexFile(path: string, image: string): Promise<ImageIndex | undefined> {
  try {
    const text = (await promisify(gunzip)(await readFile(path))).toString();
    const stored = Stored.parse(JSON.parse(text));
    if (stored.image !== image) return undefined;
    const entries = stored.entries.map(
      ([entryPath, kind, mode, uid, gid, size, extra]): [string, IndexEntry] => [
        entryPath,
        {
          kind,
          mode,
          uid,
          gid,
          size,
          ...(kind === 'file' && extra !== null ? { digest: extra } : {}),
          ...(kind === 'link' && extra !== null ? { target: extra } : {}),
        },
      ],
    );
    return makeImageIndex(image, new Map(entries), stored.users);
  } catch {
    return undefined;
  }
}
