import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { atomicWrite } from '../../base/atomic-write.ts';
import { packTar, type TarEntry } from '../../engine/archive.ts';
import { Digest } from '../../model/ids.ts';

/** What is known of a kept tar; beside it, and written last: a tar without it is none. */
const Manifest = z.strictObject({
  schemaVersion: z.literal(1),
  /** Of everything that went in. */
  key: Digest,
  /** Of the tar's bytes. */
  digest: Digest,
  bytes: z.int().nonnegative(),
  /** Files in it; with none there was nothing to keep, and no tar is there. */
  files: z.int().nonnegative(),
});

/** Packages of one verifier, on this machine. */
export interface KeptPackages extends z.infer<typeof Manifest> {
  /** Host path of the tar, entries relative to `/`. */
  readonly path: string;
}

/** What is kept under a key: packages, nothing yet, or something that is not what was written. */
export type Found = KeptPackages | 'absent' | { readonly damaged: string };

/** Where packages are kept: a host folder, and a name that says all that went in. */
export interface PackagePlace {
  readonly dir: string;
  readonly key: string;
}

/** Where a machine keeps packages, below its cache folder. */
export function packagesDir(cacheDir: string): string {
  return join(cacheDir, 'packages');
}

function placesOf({ dir, key }: PackagePlace) {
  const name = key.replace(/^sha256:/, '');
  return {
    manifest: join(dir, `${name}.json`),
    tar: join(dir, `${name}.tar`),
    made: join(dir, `${name}.new`),
  };
}

/** Reads what is kept, the whole tar with it. */
export async function findPackages(place: PackagePlace): Promise<Found> {
  const { manifest, tar } = placesOf(place);
  let text: string;
  try {
    text = await readFile(manifest, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent';
    throw error;
  }
  const read = Manifest.safeParse(parsed(text));
  if (!read.success || read.data.key !== place.key) return { damaged: manifest };
  if (read.data.files === 0) return { ...read.data, path: tar };
  try {
    await pipeline(readPackages({ ...read.data, path: tar }), async (source) => {
      for await (const _chunk of source);
    });
  } catch {
    return { damaged: tar };
  }
  return { ...read.data, path: tar };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How much is kept, by what is known of each; what is damaged is not counted. */
export async function keptSum(dir: string): Promise<{ readonly verifiers: number; readonly bytes: number }> {
  const names = await readdir(dir).catch((): string[] => []);
  const texts = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readFile(join(dir, name), 'utf8')),
  );
  const kept = texts.flatMap((text) => Manifest.safeParse(parsed(text)).data ?? []);
  return { verifiers: kept.length, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The tar's bytes. Fails at the end when they are not those that were written. */
export function readPackages({ path, digest }: Pick<KeptPackages, 'path' | 'digest'>): Readable {
  return Readable.from(checked(path, digest), { objectMode: false });
}

async function* checked(path: string, digest: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    yield chunk;
  }
  if (`sha256:${hash.digest('hex')}` !== digest) throw new Error(`${path} is not what was written`);
}

/**
 * Keeps entries under a key, whole or not at all; only the holder of the key's lock may. What a killed process left of an earlier try is
 * written over. Rejects as the entries do, and then keeps nothing.
 */
export async function keepPackages(
  place: PackagePlace,
  entries: AsyncIterable<TarEntry>,
): Promise<KeptPackages> {
  const { manifest, tar, made } = placesOf(place);
  const { dir, key } = place;
  await mkdir(dir, { recursive: true });
  await rm(manifest, { force: true });
  let files = 0;
  const counted = async function* () {
    for await (const entry of entries) {
      if (entry.kind !== 'folder') files += 1;
      yield entry;
    }
  };
  try {
    const { digest, bytes } = await written(counted(), made);
    const known = { schemaVersion: 1 as const, key, digest, bytes: files === 0 ? 0 : bytes, files };
    if (files === 0) await Promise.all([made, tar].map((path) => rm(path, { force: true })));
    else await rename(made, tar);
    await atomicWrite(manifest, JSON.stringify(known));
    return { ...known, path: tar };
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}

async function written(
  entries: AsyncIterable<TarEntry>,
  path: string,
): Promise<{ digest: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await using file = await open(path, 'w');
  // Made when it is read at once: a stream that fails before has nobody to tell.
  for await (const chunk of packTar(entries) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
    await file.appendFile(chunk);
  }
  await file.sync();
  return { digest: `sha256:${hash.digest('hex')}`, bytes };
}
