import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import { foldersIn, isThere, nearestPlace, noFolderText } from './folder-fault.ts';
import { isFolder } from './read-text.ts';

/** Folders that people name by their path, by the file that makes them what they are, or by their name alone. */
export interface NamedKind {
  readonly noun: string;
  /** The folder of a project that holds them. */
  readonly library: string;
  /** Their own file, in whatever case. */
  readonly file: RegExp;
  /** Names of those in a folder. */
  readonly namesIn: (dir: string) => Promise<readonly string[]>;
}

/** How many names an answer lists. */
const MOST_NAMES = 8;

/**
 * The folder that somebody named: any that is there, else the one of that name in the library here, else the only one of that name in a library
 * one folder further down. What that folder holds is for the caller to see.
 */
export async function namedPlace(
  cwd: string,
  given: string,
  kind: NamedKind,
): Promise<Result<string, Problem>> {
  const path = resolve(cwd, given);
  if (await isFolder(path)) return ok(path);
  if (await isThere(path)) {
    if (kind.file.test(basename(path))) return ok(dirname(path));
    return err(await aFile(path, cwd, kind));
  }
  const known = await placesOf(cwd, kind);
  const named = given.includes('/') ? [] : known.filter((place) => basename(place) === given);
  const here = named.find((place) => place === join(cwd, kind.library, given));
  const [only] = named;
  if (here !== undefined) return ok(here);
  if (only !== undefined && named.length === 1) return ok(only);
  if (only !== undefined) return err(ambiguous({ cwd, given, named, kind }));
  return err(await absent({ cwd, given, known, kind }));
}

/** Those of the library here, then those of libraries one folder further down. */
async function placesOf(cwd: string, kind: NamedKind): Promise<readonly string[]> {
  const libraries = [cwd, ...(await foldersIn(cwd))].map((dir) => join(dir, kind.library));
  const found = await Promise.all(
    libraries.map(async (dir) => (await kind.namesIn(dir)).map((name) => join(dir, name)).toSorted()),
  );
  return found.flat();
}

async function aFile(path: string, cwd: string, kind: NamedKind): Promise<Problem> {
  const dir = dirname(path);
  const isInOne = (await readdir(dir)).some((name) => kind.file.test(name));
  return {
    severity: 'error',
    message: `${await noFolderText(path)}, as a ${kind.noun} is`,
    where: { file: path },
    repair: isInOne ? `did you mean "${relative(cwd, dir) || '.'}"?` : `name the folder of a ${kind.noun}`,
  };
}

interface Asked {
  readonly cwd: string;
  readonly given: string;
  readonly kind: NamedKind;
}

function ambiguous({ cwd, given, named, kind }: Asked & { readonly named: readonly string[] }): Problem {
  const paths = named.map((place) => relative(cwd, place));
  return {
    severity: 'error',
    message: `"${given}" names ${named.length} ${kind.noun}s`,
    repair: `name one by its folder: ${paths.join(' or ')}`,
  };
}

async function absent({
  cwd,
  given,
  known,
  kind,
}: Asked & { readonly known: readonly string[] }): Promise<Problem> {
  const path = resolve(cwd, given);
  const near = nearestPlace(path, [...known, ...(await foldersIn(dirname(path)))]);
  const names = known.slice(0, MOST_NAMES).map((place) => relative(cwd, place));
  const more = known.length > names.length ? `, and ${known.length - names.length} more` : '';
  const listed =
    names.length === 0
      ? `name the folder of a ${kind.noun}, or a folder of these`
      : `use one of: ${names.join(', ')}${more}`;
  const repair = near === undefined ? listed : `did you mean "${relative(cwd, near)}"?`;
  const severity = 'error';
  if (given.includes('/') || given === kind.library) {
    return { severity, message: 'there is no such folder', where: { file: path }, repair };
  }
  return { severity, message: `there is no ${kind.noun} "${given}", and no folder of that name`, repair };
}
