import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { thisProcess } from '../base/lock-file.ts';
import { type ReadEntry, readTar } from '../engine/archive.ts';
import { type ContainerSpec, type Engine, type ImageId, LABEL, ownerLabels } from '../engine/engine.ts';
import { type ImageIndex, type IndexEntry, makeImageIndex, parsePasswd } from './image-tree.ts';
import { readIndexFile, writeIndexFile } from './index-file.ts';

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
  const cached = await readIndexFile(path, image);
  if (cached !== undefined) return cached;
  await using container = await engine.createContainer(idleContainer(image, 'index'), signal);
  const index = await indexOfTar(image, await container.export(signal));
  await writeIndexFile(path, index);
  return index;
}

/** A container that only lends its file system. Its owner is in the labels: one that outlives a killed process is swept. */
export function idleContainer(image: ImageId, use: string): ContainerSpec {
  return {
    name: `skillpair-${use}-${crypto.randomUUID()}`,
    image,
    command: ['true'],
    env: {},
    labels: { [LABEL.managed]: '1', [LABEL.kind]: `${use}-container`, ...ownerLabels(thisProcess()) },
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
  const passwd: Uint8Array[] = [];
  for await (const entry of readTar(tar)) {
    const path = `/${entry.path}`;
    if (entry.path === '' || entry.path === '.') continue;
    const indexed =
      entry.kind === 'hard-link'
        ? entries.get(`/${(entry.target ?? '').replace(/^(\.?\/)+/, '')}`)
        : await toIndexEntry(entry, entry.kind, path === '/etc/passwd' ? passwd : undefined);
    if (indexed !== undefined) entries.set(path, indexed);
  }
  return makeImageIndex(image, entries, parsePasswd(Buffer.concat(passwd).toString()));
}

/** `keep` receives the bytes of a file that is wanted whole. */
async function toIndexEntry(
  { mode, uid, gid, size, target, content }: ReadEntry,
  kind: IndexEntry['kind'],
  keep: Uint8Array[] | undefined,
): Promise<IndexEntry> {
  const common = { kind, mode: mode & 0o7777, uid, gid, size };
  if (kind === 'link') return target === undefined ? common : { ...common, target };
  if (kind !== 'file') return common;
  const hash = createHash('sha256');
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    if (keep !== undefined && size <= PASSWD_LIMIT) keep.push(chunk);
  }
  return { ...common, digest: `sha256:${hash.digest('hex')}` };
}
