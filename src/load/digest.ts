import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { digestValue } from '../base/digest.ts';
import { fileDigest } from '../base/file-digest.ts';
import type { BundleEntry } from '../model/skill.ts';
import type { DigestOf } from './file-contents.ts';

/** Order of two paths by the bytes of their UTF-8 form: the same on every machine. */
export function byPathBytes(a: { readonly path: string }, b: { readonly path: string }): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

/**
 * A bundle's content address: `digestValue` (base/digest.ts) of the list of `[path, mode, content digest]`, sorted by
 * path bytes; folders have `null` for the content. Owner and times do not count.
 */
export function bundleDigest(entries: readonly BundleEntry[]): string {
  return digestValue(
    entries.toSorted(byPathBytes).map(({ path, mode, digest }) => [path, mode, digest ?? null]),
  );
}

/** One thing below a folder, as {@link folderDigest} sees it. */
type Line = readonly [path: string, mode: number, content: string | null];

/**
 * Content address of a folder's files, run bits, links (by their target's text; they are not followed) and folders.
 * `exclude` names what does not count: paths relative to the folder.
 * The digest of a folder that is not there is that of an empty one. Sockets, FIFOs and devices count by name alone.
 */
export async function folderDigest(
  dir: string,
  options: { readonly exclude?: readonly string[]; readonly digestOf?: DigestOf } = {},
): Promise<string> {
  const lines: Line[] = [];
  const { exclude, digestOf = fileDigest } = options;
  await collect({ dir, inner: '', excluded: new Set(exclude), digestOf, lines });
  lines.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return digestValue(lines);
}

interface Walk {
  readonly dir: string;
  readonly inner: string;
  readonly excluded: ReadonlySet<string>;
  readonly digestOf: DigestOf;
  readonly lines: Line[];
}

async function collect(walk: Walk): Promise<void> {
  for (const name of await namesIn(join(walk.dir, walk.inner))) {
    const path = walk.inner === '' ? name : `${walk.inner}/${name}`;
    if (walk.excluded.has(path)) continue;
    const line = await lineOf(walk, path);
    walk.lines.push(line);
    if (line[2] === 'folder') await collect({ ...walk, inner: path });
  }
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function lineOf({ dir, digestOf }: Walk, path: string): Promise<Line> {
  const full = join(dir, path);
  const found = await lstat(full);
  const mode = found.mode & 0o100 ? 0o755 : 0o644;
  if (found.isFile()) return [path, mode, await digestOf(full, found.size)];
  if (found.isDirectory()) return [path, 0o755, 'folder'];
  if (found.isSymbolicLink()) return [path, 0, `link:${await readlink(full)}`];
  return [path, 0, 'special'];
}
