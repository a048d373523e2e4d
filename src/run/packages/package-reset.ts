import { posix } from 'node:path';
import type { PathChange } from '../../engine/engine.ts';
import type { ImageIndex, IndexEntry } from '../../image/image-tree.ts';
import { isWithin } from '../is-within.ts';
import type { PackageFolder } from './package-folders.ts';

/** What makes the package folders of a snapshot the image's own again. */
export interface PackageReset {
  /** Paths of the image that were changed or deleted: put back. */
  readonly restore: readonly string[];
  /** Paths that the agent added or put in the place of others, topmost alone; one with `folder` is made anew, empty. */
  readonly clear: readonly Cleared[];
  /** The agent installed something by uv. It may stand on that, so it stays, and the verifier's uv must look elsewhere. */
  readonly displaced: boolean;
}

/** A path that is taken away. */
export interface Cleared {
  readonly path: string;
  readonly folder?: Pick<IndexEntry, 'mode' | 'uid' | 'gid'>;
}

/** What is known of a snapshot. */
export interface SnapshotFacts {
  readonly changes: readonly PathChange[];
  readonly index: Pick<ImageIndex, 'entries' | 'list'>;
  /** Of the {@link suspects}, those that are folders no more. */
  readonly replaced: ReadonlySet<string>;
  /** Absolute paths; the engine lists no changes in them, and they were copied from the agent's container. */
  readonly volumes: readonly string[];
}

/**
 * Folders of the image, on the way to a package folder or in it, that may have become links: the engine calls them modified and lists
 * nothing in them. Whether they have is to be seen in the snapshot.
 */
export function suspects(
  folders: readonly PackageFolder[],
  { changes, index }: Pick<SnapshotFacts, 'changes' | 'index'>,
): string[] {
  const { near, parents } = look(folders, changes);
  return near
    .filter(({ path, kind }) => kind === 'modified' && !parents.has(path))
    .map(({ path }) => path)
    .filter((path) => index.entries.get(path)?.kind === 'folder');
}

/** Changes on the way to package folders and in them, and every folder in which something changed. An agent may change a million paths. */
interface Looked {
  readonly near: readonly PathChange[];
  readonly parents: ReadonlySet<string>;
}

function look(folders: readonly PackageFolder[], changes: readonly PathChange[]): Looked {
  const own = new Set(folders.map(({ path }) => path));
  const above = new Set(folders.flatMap(({ path }) => upwards(path)));
  return {
    near: changes.filter(({ path }) => above.has(path) || upwards(path).some((one) => own.has(one))),
    parents: new Set(changes.map(({ path }) => posix.dirname(path))),
  };
}

/** A path and all folders above it but the root. */
function upwards(path: string): string[] {
  return path === '/' ? [] : [path, ...upwards(posix.dirname(path))];
}

/** Decides what is done to a snapshot's package folders before anything runs in it. Pure. */
export function planPackageReset(folders: readonly PackageFolder[], facts: SnapshotFacts): PackageReset {
  const seen: Seen = { ...facts, ...look(folders, facts.changes) };
  const plans = folders.map((folder) =>
    folder.kind === 'cache' ? resetCache(folder.path, seen) : resetInstalled(folder.path, seen),
  );
  const clear = new Map(plans.flatMap((plan) => plan.clear).map((one) => [one.path, one]));
  return {
    restore: [...new Set(plans.flatMap(({ restore }) => restore))].sort(),
    clear: [...clear.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    displaced: plans.some(({ displaced }) => displaced),
  };
}

type Seen = Omit<SnapshotFacts, 'changes'> & Looked;

const NOTHING: PackageReset = { restore: [], clear: [], displaced: false };

function resetCache(folder: string, facts: Seen): PackageReset {
  const { index, volumes } = facts;
  const anew = { path: folder, folder: asFolder(index, folder) };
  if (volumes.some((volume) => folder !== volume && isWithin(folder, volume)))
    return { ...NOTHING, clear: [anew], restore: withBelow(index, folder) };
  const cut = firstCut(folder, facts);
  if (cut === undefined) return changesIn(folder, facts);
  if (cut.kind === 'deleted') return { ...NOTHING, restore: withBelow(index, folder) };
  const clear = cut.path === folder ? [anew] : [{ path: cut.path, folder: asFolder(index, cut.path) }, anew];
  return { ...NOTHING, clear, restore: withBelow(index, folder) };
}

/** Single changes in a folder that is still the image's. */
function changesIn(folder: string, { near, parents, index, replaced }: Seen): PackageReset {
  const inside = near.filter(({ path }) => path !== folder && isWithin(path, folder));
  const added = new Set(inside.filter(({ kind }) => kind === 'added').map(({ path }) => path));
  const links = inside.filter(({ path }) => replaced.has(path)).map(({ path }) => path);
  const top = [...added].filter((path) => !added.has(posix.dirname(path)));
  const lost = inside
    .filter(({ path, kind }) => kind === 'deleted' || (kind === 'modified' && !isFolder(index, path)))
    .map(({ path }) => path);
  return {
    ...NOTHING,
    clear: [
      ...top.map((path) => (parents.has(path) ? { path, folder: asFolder(index, path) } : { path })),
      ...links.map((path) => ({ path, folder: asFolder(index, path) })),
    ],
    restore: [...lost, ...links].flatMap((path) => withBelow(index, path)),
  };
}

/** What the agent installed stays where it is; what the image has installed is the image's. */
function resetInstalled(folder: string, facts: Seen): PackageReset {
  const { near, index, volumes } = facts;
  const inVolume = volumes.some((volume) => isWithin(folder, volume) || isWithin(volume, folder));
  const cut = firstCut(folder, facts);
  if (inVolume || (cut !== undefined && cut.kind !== 'deleted')) return { ...NOTHING, displaced: true };
  if (cut !== undefined) return { ...NOTHING, restore: withBelow(index, folder) };
  const { restore } = changesIn(folder, facts);
  const own = near.some(({ path, kind }) => kind === 'added' && posix.dirname(path) === folder);
  return { restore, clear: [], displaced: own };
}

/** The topmost path on the way to a folder, itself included, that is not the image's folder any more. */
function firstCut(folder: string, { near, parents, replaced }: Seen): PathChange | undefined {
  return near
    .filter(({ path }) => isWithin(folder, path))
    .filter(({ path, kind }) => {
      if (kind === 'modified') return replaced.has(path);
      // A folder that was made on the way is one by what is in it; with nothing in it, it may be a link.
      return kind === 'deleted' || path === folder || !parents.has(path);
    })
    .sort((a, b) => a.path.length - b.path.length)[0];
}

/** A path of the image with all that is in it; nothing where the image has nothing. */
function withBelow(index: SnapshotFacts['index'], path: string): string[] {
  const entry = index.entries.get(path);
  if (entry === undefined) return [];
  if (entry.kind !== 'folder') return [path];
  return [path, ...index.list(path).flatMap((name) => withBelow(index, posix.join(path, name)))];
}

/** As the image has it; else with the owner of what it lies in. */
function asFolder(index: SnapshotFacts['index'], path: string): NonNullable<Cleared['folder']> {
  const own = index.entries.get(path);
  if (own?.kind === 'folder') return { mode: own.mode, uid: own.uid, gid: own.gid };
  let above = posix.dirname(path);
  while (above !== '/' && index.entries.get(above)?.kind !== 'folder') above = posix.dirname(above);
  const { uid = 0, gid = 0 } = index.entries.get(above) ?? {};
  return { mode: 0o755, uid, gid };
}

function isFolder(index: SnapshotFacts['index'], path: string): boolean {
  return index.entries.get(path)?.kind === 'folder';
}
