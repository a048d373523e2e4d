import { posix } from 'node:path';
import type { ImageIndex } from '../image/image-tree.ts';

/** Where the loader looks by itself, with what processors of some kind find there first. */
const LOADER_FOLDER =
  /^\/(usr\/)?(local\/)?lib(32|64|x32)?(\/[^/]+-linux-[^/]+)?(\/(glibc-hwcaps|tls)(\/.*)?)?$/;
const LIBRARY = /\.so(\.[\d.]+)?$/;

/** Names of the shared libraries that an image has in the folders of its loader. */
export function libraryNames({ entries }: Pick<ImageIndex, 'entries'>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of entries.keys()) if (isLibrary(path)) names.add(posix.basename(path));
  return names;
}

/** A shared library where the loader looks by itself. */
export function isLibrary(path: string): boolean {
  return LIBRARY.test(path) && LOADER_FOLDER.test(posix.dirname(path));
}
