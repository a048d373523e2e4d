import { posix } from 'node:path';
import type { PathChange } from '../engine/engine.ts';
import type { TaskImage } from '../image/image-store.ts';
import { type ProtectedPaths, protectedPaths } from './protected-paths.ts';

/** What is done to a snapshot of the agent's file system before the verifier may run in it. Paths are sorted. */
export interface Restoration {
  /** Files of the image that the agent changed or deleted and that decide what "python" or "bash" means: put back. */
  readonly restore: readonly string[];
  /** Those of them that the engine does not list as changed. */
  readonly hidden: readonly string[];
  /** Start-up files and stand-ins for programs that the agent added: removed. */
  readonly remove: readonly string[];
  /** Python distributions that the agent added and the verifier has to install itself, or that replaced one of the image: emptied. */
  readonly uninstall: readonly string[];
  /** Folders that belong to the verifier alone: emptied whole. */
  readonly empty: readonly string[];
  /** Those of them in which there is more than was injected. */
  readonly intruded: readonly string[];
}

/** Folders that belong to the verifier alone; nothing that an agent left there may reach it. */
export const VERIFIER_FOLDERS = ['/tests', '/logs/verifier', '/solution'];
/**
 * Folders of programs and libraries. A link in the place of one stands in for everything that was in it, and the engine then
 * lists the folder alone, as changed.
 */
const PROGRAM_FOLDER =
  /^\/(usr(\/local)?|(usr\/)?(local\/)?(s?bin|lib(32|64|x32)?(\/[^/]+-linux-[^/]+)?)|(usr\/(local\/)?|opt\/[^/]+\/)?lib\/python3[^/]*)$/;
/** pytest with what it is made of and its plugins; the installers. Found installed, a verifier would not install its own. */
const TOOL_DISTRIBUTION = /^(_?pytest([-_.].*)?|py\.py|(pluggy|iniconfig|pip|uv)(-\d.*)?)$/;
const METADATA = /^(.+?)-\d.*\.(dist|egg)-info$/;

/** Decides, from the engine's own list of changes, what must be put right in a snapshot. Pure. */
export function planRestoration(
  changes: readonly PathChange[],
  from: { readonly image: Pick<TaskImage, 'index' | 'info'>; readonly injected: ReadonlySet<string> },
): Restoration {
  const { index } = from.image;
  const paths = protectedPaths(from.image);
  const folderOf = ({ path }: PathChange) =>
    VERIFIER_FOLDERS.find((folder) => path === folder || path.startsWith(`${folder}/`));
  const outside = [...changes, ...changes.flatMap(markOf)].filter((change) => folderOf(change) === undefined);
  const of = (kind: PathChange['kind']) =>
    outside.filter((change) => change.kind === kind).map(({ path }) => path);
  const [added, modified, deleted] = [of('added'), of('modified'), of('deleted')];
  const parents = new Set(outside.map(({ path }) => posix.dirname(path)));
  const isFolder = (path: string) => index.entries.get(path)?.kind === 'folder';
  const replaced = modified.filter((path) => isFolder(path) && !parents.has(path));
  const restore = [
    ...[...modified, ...deleted].filter((path) => isTrusted(paths, path) && !isFolder(path)),
    ...[...deleted, ...replaced].flatMap((path) => trustedBelow(paths, index, path)),
  ];
  const uninstall = addedDistributions(paths, added, deleted);
  const gone = (path: string) => uninstall.some((root) => path.startsWith(`${root}/`));
  const remove = [...added.filter(paths.isPlanted), ...orphanBytecode(paths, added)];
  return {
    restore: [...new Set(restore)].sort(),
    hidden: [],
    remove: [...new Set(remove)].filter((path) => !gone(path)).sort(),
    uninstall,
    empty: VERIFIER_FOLDERS.filter((folder) => changes.some((change) => folderOf(change) === folder)),
    intruded: VERIFIER_FOLDERS.filter((folder) =>
      changes.some((change) => folderOf(change) === folder && !from.injected.has(change.path)),
    ),
  };
}

/** Names by which layers of images say that something below is gone. */
const MARK = '.wh.';
const MARK_OF_ALL = '.wh..wh..opq';

/** True for a file whose name an engine takes, in a commit, for the deletion of something. */
export function isDeletionMark({ kind, path }: PathChange): boolean {
  return kind !== 'deleted' && posix.basename(path).startsWith(MARK);
}

/** What such a file deletes in a snapshot, of which the container that it was made from knows nothing. */
function markOf(change: PathChange): PathChange[] {
  if (!isDeletionMark(change)) return [];
  const [folder, name] = [posix.dirname(change.path), posix.basename(change.path)];
  const gone = name === MARK_OF_ALL ? folder : posix.join(folder, name.slice(MARK.length));
  return [{ kind: 'deleted', path: gone }];
}

/** Whether a path of the image must be the image's own in a snapshot. */
export function isTrusted(paths: ProtectedPaths, path: string): boolean {
  return paths.isProtected(path) || PROGRAM_FOLDER.test(path);
}

/**
 * The engine names a deleted folder alone, and so it does with one in whose place there is a link now; what was in it is known from
 * the image. The trusted part of that, with the folders on the way.
 */
function trustedBelow(paths: ProtectedPaths, index: TaskImage['index'], folder: string): string[] {
  if (index.entries.get(folder)?.kind !== 'folder') return [];
  const inside = index.list(folder).flatMap((name) => {
    const path = posix.join(folder, name);
    return index.entries.get(path)?.kind === 'folder'
      ? trustedBelow(paths, index, path)
      : [path].filter((file) => isTrusted(paths, file));
  });
  return inside.length > 0 || isTrusted(paths, folder) ? [folder, ...inside] : [];
}

/**
 * Distributions that must not be there. Half of one is worse than none: with its metadata left, an installer would call it
 * installed; with its programs left, they would find no package.
 */
function addedDistributions(
  paths: ProtectedPaths,
  added: readonly string[],
  deleted: readonly string[],
): string[] {
  const replaced = new Set(deleted.flatMap((path) => projectName(paths.distributionOf(path)) ?? []));
  return added
    .filter((path) => {
      const name = paths.distributionOf(path);
      if (name === undefined) return false;
      return TOOL_DISTRIBUTION.test(name) || replaced.has(projectName(name) ?? '') || paths.isShadow(path);
    })
    .sort();
}

/** The distribution that a folder of metadata is about, in the spelling that compares. */
function projectName(folder: string | undefined): string | undefined {
  return METADATA.exec(folder ?? '')?.[1]
    ?.toLowerCase()
    .replace(/[-_.]+/g, '_');
}

/** Compiled modules that the agent added for sources it did not add: Python would trust them over the image's own source. */
function orphanBytecode(paths: ProtectedPaths, added: readonly string[]): string[] {
  const all = new Set(added);
  return added.filter((path) => {
    const source = /^(.*)\/__pycache__\/([^/]+?)\.[^/]*\.pyc$/.exec(path);
    return source !== null && paths.isPythonFile(path) && !all.has(`${source[1]}/${source[2]}.py`);
  });
}
