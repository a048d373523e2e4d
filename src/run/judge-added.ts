import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inBatches } from '../base/in-batches.ts';
import { readTar } from '../engine/archive.ts';
import type { Container, PathChange } from '../engine/engine.ts';
import type { ImageIndex } from '../image/image-tree.ts';
import { kindAt } from './kind-at.ts';
import { isLibrary } from './library-stand-ins.ts';
import { readLoaderCache } from './loader-cache.ts';
import type { ProtectedPaths } from './protected-paths.ts';

/** Of what can be told only by its content: larger than any honest one, in bytes. */
const READ_LIMIT = 4 << 20;
/** So many files are read, a call each; where an agent left more, none of them is believed. */
const JUDGED_FILES = 400;
const LOADER_CACHE = '/etc/ld.so.cache';
const PATH_FILE = /\/(?:site|dist)-packages\/[^/]+\.pth$/;
const ENTRY_POINTS = /^(.*\.(?:dist|egg)-info)\/entry_points\.txt$/;

/** What is to be done about files that only their content gives away. */
export interface Judgement {
  /** Path files with code, which every Python would run at its start, or that lead into archives. */
  readonly remove: readonly string[];
  /** Metadata of distributions that call themselves plugins of pytest: it would load them unasked. */
  readonly uninstall: readonly string[];
  /** The loader's cache, where it leads libraries of the image elsewhere. */
  readonly restore: readonly string[];
}

/** A stopped container, what changed in it, and how its paths are judged. */
interface Case {
  readonly container: Pick<Container, 'get'>;
  readonly changes: readonly PathChange[];
  readonly paths: ProtectedPaths;
  readonly index: ImageIndex;
}

/** Reads, of what an agent added, the files of kinds that are honest as a rule and can be made to start by themselves. */
export async function judgeAdded(from: Case, signal: AbortSignal): Promise<Judgement> {
  const there = from.changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const added = there.filter((path) => !from.index.entries.has(path));
  const pathFiles = added.filter((path) => PATH_FILE.test(path) && from.paths.isPythonFile(path));
  const { bad, roots } = await judgePathFiles(from, pathFiles, signal);
  const isRead = (metadata: string) =>
    from.paths.isPythonFile(metadata) || roots.has(posix.dirname(metadata));
  const entryPoints = added.filter((path) => isRead(ENTRY_POINTS.exec(path)?.[1] ?? ''));
  const plugins = await failing(from, { paths: entryPoints, isHonest: namesNoPlugin }, signal);
  const caches = there.filter((path) => path === LOADER_CACHE);
  const isHonest = (bytes: Buffer) => leadsToImage(bytes, from.index);
  const misled = await failing(from, { paths: caches, isHonest }, signal);
  const isOwn = (path: string) => from.index.entries.has(path);
  return {
    remove: [...bad, ...misled.filter((path) => !isOwn(path))],
    uninstall: plugins.map((path) => posix.dirname(path)),
    restore: misled.filter(isOwn),
  };
}

/** The bad ones, and the folders that the others add to Python's path. */
async function judgePathFiles(
  { container }: Case,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly bad: string[]; readonly roots: ReadonlySet<string> }> {
  if (paths.length > JUDGED_FILES) return { bad: [...paths], roots: new Set() };
  const roots = new Set<string>();
  const bad = await inBatches(paths, 4, async (path) => {
    const bytes = await contentOf(container, path, signal);
    const lines = bytes?.toString('utf8').split(/[^ -~\u00a0-\u2027\u202a-\uffff]+/) ?? ['import '];
    if (lines.some((line) => line.startsWith('import '))) return [path];
    const folders = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
    for (const folder of folders.map((line) => posix.resolve(posix.dirname(path), line.trim()))) {
      if ((await kindAt(container, folder, signal)) !== 'folder') return [path];
      roots.add(folder);
    }
    return [];
  });
  return { bad: bad.flat(), roots };
}

async function failing(
  { container }: Case,
  of: { readonly paths: readonly string[]; readonly isHonest: (bytes: Buffer) => boolean },
  signal: AbortSignal,
): Promise<string[]> {
  if (of.paths.length > JUDGED_FILES) return [...of.paths];
  const bad = await inBatches(of.paths, 4, async (path) => {
    const bytes = await contentOf(container, path, signal);
    return bytes !== undefined && of.isHonest(bytes) ? [] : [path];
  });
  return bad.flat();
}

/** Undefined for what is no file, or one too large to be judged. */
async function contentOf(
  container: Pick<Container, 'get'>,
  path: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const tar = await container.get(path, signal);
  if (tar === undefined) return undefined;
  for await (const { kind, size, content } of readTar(tar))
    return kind === 'file' && size <= READ_LIMIT ? await buffer(content) : undefined;
  return undefined;
}

function namesNoPlugin(bytes: Buffer): boolean {
  return !bytes.toString('latin1').includes('pytest11');
}

/** Every library that the image has where its loader looks must be the image's. */
function leadsToImage(bytes: Buffer, index: ImageIndex): boolean {
  const own = new Map<string, Set<string>>();
  for (const path of index.entries.keys()) {
    if (!isLibrary(path)) continue;
    const name = posix.basename(path);
    own.set(name, (own.get(name) ?? new Set()).add(path));
  }
  const cache = readLoaderCache(bytes);
  return (
    cache?.every(([name, path]) => {
      const places = own.get(name);
      return places === undefined || places.has(index.resolve(posix.dirname(path)) + posix.sep + name);
    }) === true
  );
}
