import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { nearest } from '../base/nearest.ts';
import type { Problem } from '../model/problem.ts';
import { isFile, isFolder } from './read-text.ts';

/** Why a path is no folder, with the folder beside it that may be meant, told from `cwd`; undefined where it is one. `repair`: else. */
export async function folderFault(path: string, cwd: string, repair: string): Promise<Problem | undefined> {
  if (await isFolder(path)) return undefined;
  const fault = { severity: 'error', where: { file: path } } as const;
  if (await isThere(path)) return { ...fault, message: await noFolderText(path), repair };
  const near = nearestPlace(path, await foldersIn(dirname(path)));
  return {
    ...fault,
    message: 'there is no such folder',
    repair: near === undefined ? repair : `did you mean "${relative(cwd, near)}"?`,
  };
}

/** What stands at a path that is no folder. */
export async function noFolderText(path: string): Promise<string> {
  return (await isFile(path)) ? 'this is a file, not a folder' : 'this leads to no folder';
}

/** The place whose name is nearest to that of a path; undefined when none is near. */
export function nearestPlace(path: string, places: readonly string[]): string | undefined {
  const name = nearest(
    basename(path),
    places.map((place) => basename(place)),
  );
  return places.find((place) => basename(place) === name);
}

/** The folders in a folder, without hidden ones; none where that is none. */
export async function foldersIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((): string[] => []);
  const places = names.filter((name) => !name.startsWith('.')).map((name) => join(dir, name));
  const are = await Promise.all(places.map(isFolder));
  return places.filter((_, index) => are[index]).toSorted();
}

/** True for anything of that name, a link that leads nowhere too. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
