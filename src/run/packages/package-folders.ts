import { posix } from 'node:path';
import { folderIn, imageVariables, type Variables } from '../../image/agent-environment.ts';
import { homesOf } from '../../image/discovery-folders.ts';
import type { TaskImage } from '../../image/image-store.ts';
import type { ImageIndex } from '../../image/image-tree.ts';
import type { Task } from '../../model/task.ts';

/**
 * A folder that installers of packages trust without asking anybody. `cache`: losing it costs time alone. `installed`: what uv has
 * installed for later use, which other programs may stand on.
 */
export interface PackageFolder {
  /** Absolute container path without links of the image; it need not exist. */
  readonly path: string;
  readonly kind: 'cache' | 'installed';
}

/** Of apt: not below any home. */
const SYSTEM_CACHES = ['/var/cache/apt', '/var/lib/apt/lists'];
/** Of uv, pip and npm, below a home. */
const HOME_CACHES = ['.cache/uv', '.cache/pip', '.npm'];
const HOME_INSTALLED = ['.local/share/uv/tools', '.local/share/uv/python'];
/**
 * Homes of accounts that nobody works as (`bin`, `sys`, `games`). What an agent does to these folders is put right for other reasons, file by file; were
 * they looked at for packages, a link in the place of one would have it emptied as a whole.
 */
const SYSTEM_FOLDER = /^\/(usr\/)?(s?bin|games|lib[^/]*)$|^\/(dev|proc|sys|etc|usr)?$/;
/** Variables that name such a folder: their own, or one in which it lies. */
const CACHE_VARIABLES = ['UV_CACHE_DIR', 'PIP_CACHE_DIR', 'npm_config_cache', 'NPM_CONFIG_CACHE'];
const INSTALLED_VARIABLES = ['UV_TOOL_DIR', 'UV_PYTHON_INSTALL_DIR'];

/** Variables of a verifier that no agent has set: image, task, verifier, in this order. */
export function verifierVariables(
  image: Pick<TaskImage, 'info'>,
  { environment, verifier }: Pick<Task, 'environment' | 'verifier'>,
): Variables {
  return { ...imageVariables(image.info.env), ...environment.env, ...verifier.env };
}

/**
 * The {@link PackageFolder}s of a verifier in an image, each once, sorted. A variable that names a home, a working directory or a folder
 * above one is passed over: what lies there is not packages alone.
 */
export function packageFolders(
  image: Pick<TaskImage, 'index' | 'info'>,
  variables: Variables,
): readonly PackageFolder[] {
  const { index, info } = image;
  const named = (names: readonly string[]) => names.flatMap((name) => folderIn(variables, name) ?? []);
  const homes = [
    ...homesOf(index).filter((home) => !SYSTEM_FOLDER.test(realPath(index, home))),
    ...named(['HOME']),
  ];
  const taken = [...homes, info.workingDir].map((path) => realPath(index, path));
  const isUsable = (path: string) =>
    path.split('/').length > 2 && !taken.some((other) => `${other}/`.startsWith(`${path}/`));
  const below = (variable: string, names: readonly string[]) => {
    const folder = folderIn(variables, variable);
    return folder === undefined ? [] : names.map((name) => posix.join(folder, name));
  };
  const inHomes = (names: readonly string[]) =>
    homes.flatMap((home) => names.map((name) => posix.join(home, name)));
  const caches = [
    ...SYSTEM_CACHES,
    ...inHomes(HOME_CACHES),
    ...named(CACHE_VARIABLES),
    ...below('XDG_CACHE_HOME', ['uv', 'pip']),
  ];
  const installed = [
    ...inHomes(HOME_INSTALLED),
    ...named(INSTALLED_VARIABLES),
    ...below('XDG_DATA_HOME', ['uv/tools', 'uv/python']),
  ];
  const kinds = new Map<string, PackageFolder['kind']>();
  for (const path of installed) kinds.set(realPath(index, path), 'installed');
  for (const path of caches) kinds.set(realPath(index, path), 'cache');
  return [...kinds]
    .filter(([path]) => isUsable(path))
    .map(([path, kind]) => ({ path, kind }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A path with the image's own links followed as far as it exists. */
function realPath(index: Pick<ImageIndex, 'resolve'>, path: string): string {
  const real = index.resolve(path);
  if (real !== undefined || path === '/') return real ?? path;
  return posix.join(realPath(index, posix.dirname(path)), posix.basename(path));
}
