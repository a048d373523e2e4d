import { posix } from 'node:path';
import type { ImageInfo } from '../engine/engine.ts';
import type { ImageIndex } from '../image/image-tree.ts';
import { isLibrary, libraryNames } from './library-stand-ins.ts';
import { environmentPrograms, pythonStandIns } from './python-stand-ins.ts';

/** What is asked of a path of a snapshot: whether it decides which program runs before a verifier's own first line. */
export interface ProtectedPaths {
  /** A program, a loader, Python's own files, or what shells, package clients and pytest read when they start. */
  isProtected(path: string): boolean;
  /** The same for a path that the image does not have: something that starts by itself or stands in for a program of the image. */
  isPlanted(path: string): boolean;
  /** A file of a Python library folder: `name` is what lies directly in its site-packages or dist-packages. */
  distributionOf(path: string): string | undefined;
  isPythonFile(path: string): boolean;
  /** An added member of a packages folder that hides one of the image's. */
  isShadow(path: string): boolean;
}

const DEFAULT_PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const PROGRAM = /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/;
/** Not in an image's PATH, but put first by what users and installers add to it. */
const USER_PROGRAM = /^\/(root|home\/[^/]+)\/(\.local\/)?bin\/[^/]+$/;
/** What verifiers install for themselves; an agent's own would be taken for it. */
const TOOL = /^(python[\d.]*|pip[\d.]*|pytest|py\.test|uv|uvx)$/;
/** What programs are made of: libraries, helpers and modules, wherever below. */
const PROGRAM_PART = /^\/(usr\/)?(local\/)?(lib(32|64|x32|exec)?|share\/(perl|perl5|python3))\/.+/;
const LOADER = /^\/(usr\/)?lib(32|64|x32)?\/(?:.*\/)?ld-linux[^/]*$|^\/etc\/ld\.so\.preload$/;
/** Where the loader looks beyond its own folders. What is added there is told by what it makes of the cache. */
const LOADER_SETTINGS = /^\/etc\/ld\.so\.conf(\.d\/[^/]+)?$/;
/** What the package manager runs of packages that are there already. */
const MAINTAINER_SCRIPT =
  /^\/var\/lib\/dpkg\/(info\/.+\.(preinst|postinst|prerm|postrm|config|triggers)|triggers\/.+)$/;
const DISTRIBUTION = /^\/(?:[^/]+\/)*(?:site|dist)-packages\/([^/]+)$/;
const START_UP = [
  /^\/etc\/(profile|bash\.bashrc|environment|pip\.conf|pythonstart)$/,
  /^\/etc\/(profile\.d|uv)\/[^/]+$/,
  /^\/etc\/(zsh(\/[^/]+|rc|env)|npmrc|dpkg\/dpkg\.cfg(\.d\/[^/]+)?)$|^\/usr(\/local)?\/etc\/npmrc$/,
  /\/\.(bashrc|bash_aliases|profile|bash_profile|bash_login|bash_env|zshenv|zshrc|zprofile|zlogin)$/,
  /\/\.(curlrc|wgetrc|pypirc|netrc|pydistutils\.cfg)$|^\/(root|home\/[^/]+)\/\.npmrc$/,
  // What apt installs from and whom it believes; its own programs.
  /^\/etc\/apt\/.+|^\/usr\/lib\/apt\/.+/,
  /\/\.(config\/)?(pip|uv)\/[^/]+\.(conf|toml)$/,
  /^\/(conftest\.py|\.?pytest\.ini|pyproject\.toml|tox\.ini|setup\.cfg|setup\.py)$/,
];
const PYTHON_START_UP = /\/(sitecustomize|usercustomize)(\.py|\/__init__\.py|\.[^/]*\.so)$/;

/** The {@link ProtectedPaths} of an image: its own PATH decides what a program is, its files what a stand-in is. */
export function protectedPaths(image: {
  readonly index: ImageIndex;
  readonly info: Pick<ImageInfo, 'env' | 'entrypoint' | 'workingDir'>;
}): ProtectedPaths {
  const { index } = image;
  const folders = programFolders(image);
  const programs = [...folders, ...environmentPrograms(index, image.info.workingDir)];
  const python = pythonStandIns(index, programs);
  const libraries = libraryNames(index);
  const entryPoint = new Set(image.info.entrypoint.map((word) => index.resolve(word) ?? word));
  const isProgram = (path: string) => PROGRAM.test(path) || programs.includes(posix.dirname(path));
  const isThere = (path: string) => index.resolve(path) !== undefined;
  const standsIn = (path: string) => {
    const place = USER_PROGRAM.test(path) ? -1 : folders.indexOf(posix.dirname(path));
    if (place === -1 && !USER_PROGRAM.test(path)) return false;
    return folders.slice(place + 1).some((folder) => isThere(posix.join(folder, posix.basename(path))));
  };
  const isTool = (path: string) =>
    TOOL.test(posix.basename(path)) && (isProgram(path) || USER_PROGRAM.test(path));
  const isStarter = (path: string) =>
    isStartUp(path) || LOADER.test(path) || MAINTAINER_SCRIPT.test(path) || python.isStandIn(path);
  return {
    isProtected: (path) =>
      isProgram(path) ||
      isStarter(path) ||
      PROGRAM_PART.test(path) ||
      LOADER_SETTINGS.test(path) ||
      python.isPythonFile(path) ||
      entryPoint.has(path),
    isPlanted: (path) =>
      isStarter(path) ||
      isTool(path) ||
      standsIn(path) ||
      (isLibrary(path) && libraries.has(posix.basename(path))),
    distributionOf: (path) => (python.isPythonFile(path) ? DISTRIBUTION.exec(path)?.[1] : undefined),
    isPythonFile: python.isPythonFile,
    isShadow: python.isShadow,
  };
}

/** Real folders of the image's PATH, in its order, each once. */
function programFolders({ index, info }: Parameters<typeof protectedPaths>[0]): string[] {
  const path = info.env.find((variable) => variable.startsWith('PATH=')) ?? DEFAULT_PATH;
  const folders = path.slice('PATH='.length).split(':');
  return [
    ...new Set(
      folders.filter((folder) => folder.startsWith('/')).map((folder) => index.resolve(folder) ?? folder),
    ),
  ];
}

function isStartUp(path: string): boolean {
  return PYTHON_START_UP.test(path) || START_UP.some((pattern) => pattern.test(path));
}
