import { posix } from 'node:path';
import { type ReadEntry, readTar, type TarEntry } from '../../engine/archive.ts';
import type { Container } from '../../engine/engine.ts';
import { isWithin } from '../is-within.ts';
import type { PackageFolder } from './package-folders.ts';

/** Locks, logs, and what apt makes anew whenever it is older than what it was made of. */
const NOT_KEPT = /^\/var\/cache\/apt\/[^/]+\.bin$|\/\.npm\/_logs(\/|$)|\/(\.lock|lock)$/;

/** How much of one verifier's packages is kept. */
interface HarvestLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** Thrown when there is more than may be kept: half of a cache is none. */
class TooMuch extends Error {}

/**
 * What a stopped container has in package folders beyond its image, as entries relative to `/`: folders on the way first, then each
 * folder in the engine's order. Nothing is left out but locks, logs and devices.
 */
export async function* harvest(
  container: Container,
  from: { readonly folders: readonly PackageFolder[]; readonly limits: HarvestLimits },
  signal: AbortSignal,
): AsyncGenerator<TarEntry> {
  const all = (await container.changes(signal)).filter(
    ({ kind, path }) => kind !== 'deleted' && !NOT_KEPT.test(path),
  );
  const changed = all.map(({ path }) => path);
  // Folders on the way that the image has are as the agent left them.
  const made = all.filter(({ kind }) => kind === 'added').map(({ path }) => path);
  const count = counter(from.limits);
  for (const { path: folder } of topmost(from.folders)) {
    const wanted = new Set(changed.filter((path) => isWithin(path, folder)));
    if (wanted.size === 0) continue;
    const above = made.filter((path) => path !== folder && isWithin(folder, path));
    for (const path of above.sort()) yield* folderOnly(container, path, signal);
    for await (const entry of single(container, { folder, wanted }, signal)) {
      count(entry);
      yield entry;
    }
  }
}

/** A folder within another one comes with it. */
function topmost(folders: readonly PackageFolder[]): PackageFolder[] {
  return folders.filter(
    ({ path }) => !folders.some((other) => other.path !== path && isWithin(path, other.path)),
  );
}

/** Asks for the head of a folder's tar alone. */
async function* folderOnly(
  container: Container,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<TarEntry> {
  const tar = await container.get(path, signal);
  if (tar === undefined) return;
  for await (const entry of readTar(tar)) {
    if (entry.kind === 'folder') yield { ...head(path, entry), kind: 'folder' };
    return;
  }
}

async function* single(
  container: Container,
  { folder, wanted }: { readonly folder: string; readonly wanted: ReadonlySet<string> },
  signal: AbortSignal,
): AsyncGenerator<TarEntry> {
  const tar = await container.get(folder, signal);
  if (tar === undefined) return;
  const above = posix.dirname(folder);
  const kept = new Set<string>();
  /** Second names of files that the image has: their bytes are asked for one by one. */
  const secondNames: string[] = [];
  for await (const entry of readTar(tar)) {
    const path = posix.join(above, entry.path);
    if (!wanted.has(path)) continue;
    const first = posix.join(above, entry.target ?? '');
    if (entry.kind === 'hard-link' && !kept.has(first)) {
      secondNames.push(path);
      continue;
    }
    const made = toEntry(path, entry, first);
    if (made === undefined) continue;
    kept.add(path);
    yield made;
  }
  for (const path of secondNames) yield* alone(container, path, signal);
}

async function* alone(container: Container, path: string, signal: AbortSignal): AsyncGenerator<TarEntry> {
  const tar = await container.get(path, signal);
  if (tar === undefined) return;
  for await (const entry of readTar(tar)) {
    const made = toEntry(path, entry, '');
    if (made !== undefined) yield made;
  }
}

function toEntry(path: string, entry: ReadEntry, first: string): TarEntry | undefined {
  const shared = head(path, entry);
  if (entry.kind === 'folder') return { ...shared, kind: 'folder' };
  if (entry.kind === 'link') return { ...shared, kind: 'link', target: entry.target ?? '' };
  if (entry.kind === 'hard-link') return { ...shared, kind: 'hard-link', target: first.slice(1) };
  if (entry.kind !== 'file') return undefined;
  return { ...shared, kind: 'file', content: { stream: entry.content, size: entry.size } };
}

/** Installers compare times, so they are kept. */
function head(path: string, { mode, uid, gid, modified }: ReadEntry) {
  return { path: path.slice(1), mode: mode & 0o7777, uid, gid, modified };
}

function counter({ maxBytes, maxEntries }: HarvestLimits) {
  let [bytes, entries] = [0, 0];
  return ({ content }: TarEntry): void => {
    entries += 1;
    bytes +=
      content === undefined || content instanceof Uint8Array || !('size' in content) ? 0 : content.size;
    if (bytes > maxBytes || entries > maxEntries)
      throw new TooMuch(`more than ${maxEntries} files or ${Math.round(maxBytes / 1e6)} MB of packages`);
  };
}
