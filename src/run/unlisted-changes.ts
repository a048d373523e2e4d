import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { inBatches } from '../base/in-batches.ts';
import { type ReadEntry, readTar } from '../engine/archive.ts';
import type { Container, PathChange } from '../engine/engine.ts';
import type { ImageIndex, IndexEntry } from '../image/image-tree.ts';
import { type ReadRoot, readPlan } from './read-plan.ts';
import { isSameContent } from './same-content.ts';

/** Beyond what the image has in a place so much more is read of it: an agent may have put anything there. What lies behind counts as different. */
const SURPLUS_BYTES = 10 * 2 ** 30;
/** Up to so many changed files are measured, a call each, to learn how much is not accounted for. */
const MEASURED_FILES = 12;

/** What is known of a stopped container when it is asked for what its engine's list is silent about. */
export interface ListedState {
  readonly index: ImageIndex;
  readonly changes: readonly PathChange[];
  /** Of a path of the image: whether it matters. */
  readonly isWanted: (path: string) => boolean;
  /** Declared by the image: what is in them is among the changes and not among the bytes. */
  readonly volumes: readonly string[];
  /** Of the container, where the engine's figure covers every copied file; undefined where it may not. */
  readonly writtenBytes: number | undefined;
}

/**
 * Wanted files and links of the image that a stopped container has otherwise, though the engine does not list them: it compares
 * sizes and times, and who may overwrite a file may set both. Here contents are compared with the image's index. Sorted.
 */
export async function unlistedChanges(
  container: Pick<Container, 'get'>,
  state: ListedState,
  signal: AbortSignal,
): Promise<string[]> {
  const paths = await candidates(container, state, signal);
  const found = await inBatches(readPlan(state.index, paths), 2, (root) =>
    differing(container, { root, index: state.index, paths }, signal),
  );
  return found.flat().sort();
}

/**
 * What can have changed at all. A changed file of the image is in the container's own layer, whole: either under its own name
 * alone, and then its size fits into what is not accounted for by the listed files, or also under a listed name, of the same size.
 */
async function candidates(
  container: Pick<Container, 'get'>,
  { index, changes, isWanted, volumes, writtenBytes }: ListedState,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const listed = new Set(changes.map(({ path }) => path));
  const wanted = [...index.entries].filter(
    ([path, entry]) => sizeOf(entry) > 0 && !listed.has(path) && isWanted(path),
  );
  const isCounted = ({ path }: PathChange) =>
    !volumes.some((volume) => `${path}/`.startsWith(posix.join(volume, '/')));
  const sizes =
    writtenBytes === undefined ? undefined : await listedSizes(container, changes.filter(isCounted), signal);
  const known = [...(sizes ?? [])].reduce((sum, size) => sum + size, 0);
  const spare = (writtenBytes ?? Number.POSITIVE_INFINITY) - known;
  const isPossible = (size: number) => sizes === undefined || size <= spare || sizes.has(size);
  return new Set(wanted.filter(([, entry]) => isPossible(sizeOf(entry))).map(([path]) => path));
}

/** A link holds its target. */
function sizeOf({ kind, size, target }: IndexEntry): number {
  if (kind === 'file') return size;
  return kind === 'link' ? Buffer.byteLength(target ?? '') : 0;
}

/**
 * Sizes of the listed files, equal ones once: they may be one file of several names. No more than they really hold, so that too
 * little is taken for accounted for, never too much; undefined where measuring them takes longer than it can save.
 */
async function listedSizes(
  container: Pick<Container, 'get'>,
  changes: readonly PathChange[],
  signal: AbortSignal,
): Promise<ReadonlySet<number> | undefined> {
  const parents = new Set(changes.map(({ path }) => posix.dirname(path)));
  const leaves = changes.filter(({ kind, path }) => kind !== 'deleted' && !parents.has(path));
  if (leaves.length > MEASURED_FILES) return undefined;
  const sizes = await inBatches(leaves, 4, async ({ path }) => {
    const tar = await container.get(path, signal);
    if (tar === undefined) return [];
    for await (const entry of readTar(tar)) return entry.kind === 'file' ? [entry.size] : [];
    return [];
  });
  return new Set(sizes.flat());
}

interface Reading {
  readonly root: ReadRoot;
  readonly index: ImageIndex;
  readonly paths: ReadonlySet<string>;
}

/** What is not read (gone, or behind more than was to be expected) counts as different. */
async function differing(
  container: Pick<Container, 'get'>,
  reading: Reading,
  signal: AbortSignal,
): Promise<string[]> {
  const { root, index, paths } = reading;
  const unread = new Set([...paths].filter((path) => path === root.path || path.startsWith(`${root.path}/`)));
  const tar = await container.get(root.path, signal);
  if (tar === undefined) return [...unread];
  const otherNames: string[] = [];
  const different: string[] = [];
  for await (const entry of entriesOf(tar, root)) {
    if (!unread.delete(entry.path)) continue;
    const pristine = index.entries.get(entry.path);
    if (entry.kind === 'hard-link' && entry.path !== root.path) otherNames.push(entry.path);
    else if (pristine === undefined || !(await isSameContent(entry, pristine))) different.push(entry.path);
  }
  // The bytes of a further name came under the first one, which need not be wanted; asked for alone it has its own.
  for (const path of otherNames)
    different.push(
      ...(await differing(container, { ...reading, root: { path, bytes: root.bytes } }, signal)),
    );
  return [...different, ...unread];
}

/** By container path, as far as there is no more than was to be expected. */
async function* entriesOf(tar: Readable, root: ReadRoot): AsyncGenerator<ReadEntry> {
  let bytes = root.bytes + SURPLUS_BYTES;
  for await (const entry of readTar(tar)) {
    bytes -= entry.size;
    if (bytes < 0) return;
    yield { ...entry, path: posix.join(posix.dirname(root.path), entry.path) };
  }
}
