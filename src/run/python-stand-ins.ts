import { posix } from 'node:path';
import type { ImageIndex } from '../image/image-tree.ts';

/** Where Python, installed anywhere, has its library. */
const LIBRARY = /^\/(usr\/(local\/)?|opt\/[^/]+\/|(root|home\/[^/]+)\/\.local\/)?lib\/python3[^/]*\//;
const LIBRARY_ZIP = /\/lib\/python3\d*\.zip$/;
const PACKAGES = /^(.*)\/(?:site|dist)-packages\/([^/]+)$/;
/** Folders of packages that one and the same Python of the system reads, each before the next. */
const SYSTEM_PACKAGES = [
  /^\/(root|home\/[^/]+)\/\.local\/lib\/python3[^/]*$/,
  /^\/usr\/local\/lib\/python3[^/]*$/,
  /^\/usr\/lib\/python3[^/]*$/,
];
/** Beside an interpreter or above it, they tell it where its library is. */
const LAYOUT_FILE = /^(pyvenv\.cfg|pybuilddir\.txt|python\d*\._pth)$/;

const STANDARD_MODULE = /^(?:\/[^/]+)*\/lib\/python3\.\d+\/([^/]+)$/;
const TEST_TOOLS = ['pytest', '_pytest', 'py', 'pluggy', 'iniconfig', 'packaging', 'pip', 'sitecustomize'];

/** What of Python can be planted: that which is run or read in place of the image's own. */
export interface PythonStandIns {
  /** A file of a Python library that the image's interpreters read. */
  isPythonFile(path: string): boolean;
  /** An added path that would be read, unasked, in place of something of the image's, or that tells an interpreter to look elsewhere. */
  isStandIn(path: string): boolean;
  /** An added member of a packages folder that hides one of the same name in a folder which is read later. */
  isShadow(path: string): boolean;
}

/** The {@link PythonStandIns} of an image. `programs`: its folders of programs. */
export function pythonStandIns(index: ImageIndex, programs: readonly string[]): PythonStandIns {
  const homes = programs.map((folder) => posix.dirname(folder));
  const libraries = homes.map((home) => posix.join(home, 'lib', 'python3'));
  const layoutFolders = new Set([...programs, ...homes]);
  const isPythonFile = (path: string) =>
    LIBRARY.test(path) || libraries.some((library) => path.startsWith(library));
  const packages = systemPackages(index);
  return {
    isPythonFile,
    isStandIn: (path) =>
      LIBRARY_ZIP.test(path) ||
      (LAYOUT_FILE.test(posix.basename(path)) && layoutFolders.has(posix.dirname(path))) ||
      (isPythonFile(path) && takesName(index, path)),
    isShadow: (path) => {
      const [, library = '', name = ''] = PACKAGES.exec(path) ?? [];
      const place = SYSTEM_PACKAGES.findIndex((pattern) => pattern.test(library));
      const hidden = packages.get(moduleName(name));
      return place !== -1 && hidden !== undefined && hidden > place;
    },
  };
}

/**
 * Added members of a folder that a Python started in it would take for modules of its own library or of pytest. One of which the
 * instruction speaks is work that was asked for.
 */
export function shadowsIn(
  folder: string,
  from: { readonly added: readonly string[]; readonly index: ImageIndex; readonly instruction: string },
): string[] {
  const library = new Set<string>(TEST_TOOLS);
  for (const path of from.index.entries.keys()) {
    const [, name = ''] = STANDARD_MODULE.exec(path) ?? [];
    if (isModule(name)) library.add(moduleName(name));
  }
  const all = new Set(from.added);
  return from.added.filter((path) => {
    const name = posix.basename(path);
    if (posix.dirname(path) !== folder || !isModule(name) || !library.has(moduleName(name))) return false;
    const isCode =
      name.includes('.') ||
      all.has(`${path}/__init__.py`) ||
      !from.added.some((other) => other.startsWith(`${path}/`));
    return isCode && !from.instruction.includes(name);
  });
}

/** Folders of programs of the virtual environments that the image has, in its PATH or not. One in the working directory is part of the work. */
export function environmentPrograms({ entries }: ImageIndex, workingDir: string): string[] {
  const isWork = (path: string) => workingDir !== '/' && path.startsWith(`${workingDir}/`);
  return [...entries.keys()]
    .filter((path) => posix.basename(path) === 'pyvenv.cfg' && !isWork(path))
    .map((path) => posix.join(posix.dirname(path), 'bin'));
}

/** A package is found before a compiled module of its name, and that before a source: in one folder, the image's is hidden. */
function takesName(index: ImageIndex, path: string): boolean {
  const [folder, name] = [posix.dirname(path), posix.basename(path)];
  if (!isModule(name) || posix.basename(folder) === '__pycache__' || index.entries.has(path)) return false;
  const own = moduleName(name);
  return index.list(folder).some((other) => other !== name && isModule(other) && moduleName(other) === own);
}

/** Module -> the last of the system's packages folders in which the image has it. */
function systemPackages({ entries }: ImageIndex): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const path of entries.keys()) {
    const [, library = '', name = ''] = PACKAGES.exec(path) ?? [];
    const place = SYSTEM_PACKAGES.findIndex((pattern) => pattern.test(library));
    if (place !== -1 && isModule(name)) places.set(moduleName(name), place);
  }
  return places;
}

/** A source, a compiled module, or a folder, which may be a package. */
function isModule(name: string): boolean {
  return /^[A-Za-z_]\w*(\.py|(\.[\w-]+)*\.so)?$/.test(name) && name !== '__pycache__';
}

function moduleName(name: string): string {
  return name.split('.', 1)[0] ?? name;
}
