import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { atomicWrite } from '../base/atomic-write.ts';
import { type ReadEntry, readTar } from '../engine/archive.ts';
import type { ContainerSpec, Engine, ImageId } from '../engine/engine.ts';
import { IMAGE_LABEL } from './image-labels.ts';
import {
  type ImageIndex,
  type ImageUser,
  type IndexEntry,
  makeImageIndex,
  parsePasswd,
} from './image-tree.ts';

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

/** Largest /etc/passwd that is read. */
const PASSWD_LIMIT = 1024 * 1024;

/**
 * The index of an image, from the cache or by exporting a container that is created for it and never started.
 * Memory stays flat: contents are hashed as they pass.
 */
export async function readImageIndex(
  { engine, cacheDir }: { readonly engine: Engine; readonly cacheDir: string },
  image: ImageId,
  signal: AbortSignal,
): Promise<ImageIndex> {
  const path = join(cacheDir, 'image-index', `${image.replace(/^sha256:/, '')}.json.gz`);
  const cached = await readCached(path, image);
  if (cached !== undefined) return cached;
  await using container = await engine.createContainer(idleContainer(image, 'index'), signal);
  const index = await indexOfTar(image, await container.export(signal));
  await mkdir(dirname(path), { recursive: true });
  await atomicWrite(path, await promisify(gzip)(serialize(index)));
  return index;
}

/** A container that only lends its file system. */
export function idleContainer(image: ImageId, use: string): ContainerSpec {
  return {
    name: `skillpair-${use}-${crypto.randomUUID()}`,
    image,
    command: ['true'],
    env: {},
    labels: { [IMAGE_LABEL.managed]: '1', [IMAGE_LABEL.kind]: `${use}-container` },
    cpus: 1,
    memoryBytes: 64 * 1024 * 1024,
    pids: 16,
    network: 'none',
    mounts: [],
  };
}

/** Indexes a whole file system given as a tar. */
export async function indexOfTar(image: string, tar: Readable): Promise<ImageIndex> {
  const entries = new Map<string, IndexEntry>();
  let passwd = '';
  for await (const entry of readTar(tar)) {
    if (entry.path === '' || entry.path === '.') continue;
    const path = `/${entry.path}`;
    if (entry.kind === 'hard-link') {
      const original = entries.get(`/${(entry.target ?? '').replace(/^(\.?\/)+/, '')}`);
      if (original !== undefined) entries.set(path, original);
      continue;
    }
    const isPasswd = path === '/etc/passwd' && entry.size <= PASSWD_LIMIT;
    const content = entry.kind === 'file' ? await readContent(entry, isPasswd) : undefined;
    if (isPasswd) passwd = content?.text ?? '';
    entries.set(path, toIndexEntry(entry, entry.kind, content?.digest));
  }
  return makeImageIndex(image, entries, parsePasswd(passwd));
}

function toIndexEntry(
  { mode, uid, gid, size, target }: ReadEntry,
  kind: IndexEntry['kind'],
  digest: string | undefined,
): IndexEntry {
  return {
    kind,
    mode: mode & 0o7777,
    uid,
    gid,
    size,
    ...(digest === undefined ? {} : { digest }),
    ...(kind === 'link' && target !== undefined ? { target } : {}),
  };
}

async function readContent(
  entry: ReadEntry,
  keep: boolean,
): Promise<{ readonly digest: string; readonly text: string }> {
  const hash = createHash('sha256');
  const kept: Uint8Array[] = [];
  for await (const chunk of entry.content as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    if (keep) kept.push(chunk);
  }
  return { digest: `sha256:${hash.digest('hex')}`, text: Buffer.concat(kept).toString() };
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

/** A cache that cannot be read is made anew. */
async function readCached(path: string, image: ImageId): Promise<ImageIndex | undefined> {
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
    return makeImageIndex(image, new Map(entries), stored.users satisfies readonly ImageUser[]);
  } catch {
    return undefined;
  }
}
