import { isAbsolute, join, resolve } from 'node:path';
import { isFile, isFolder } from '../../load/read-text.ts';
import { InputError } from '../../model/problem.ts';

/** What somebody asked to import from. */
export type SourceName =
  | { readonly kind: 'folder'; readonly dir: string }
  | {
      readonly kind: 'git';
      /** Address or absolute path, as git takes it. */
      readonly repository: string;
      /** It is a folder of this machine: nothing has to be fetched. */
      readonly isLocal: boolean;
      /** Branch, tag or commit; undefined: what the repository has as its own. */
      readonly ref: string | undefined;
      /** In the repository; empty for its root. */
      readonly folder: string;
    };

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i;

/**
 * Reads `<folder>`, `<repository>`, `<repository>#<ref>` or `<repository>#<ref>:<folder>`, where ref or folder may be empty. A path is a
 * repository where something stands behind `#`, or where it is one without a working tree. Throws InputError for what cannot be meant.
 */
export async function readSourceName(cwd: string, given: string): Promise<SourceName> {
  if (ADDRESS.test(given)) return gitSource(given, false, (place) => place);
  const dir = resolve(cwd, given);
  // As it stands: resolved, `a#b/../..` would be a folder above.
  if (await isFolder(isAbsolute(given) ? given : `${cwd}/${given}`)) {
    if (!(await isBareRepository(dir))) return { kind: 'folder', dir };
    return { kind: 'git', repository: dir, isLocal: true, ref: undefined, folder: '' };
  }
  const [place, rest] = splitOnce(given, '#');
  if (rest === undefined || !(await isFolder(resolve(cwd, place))))
    throw refused(`there is no folder ${place}`, 'correct its path, or name a repository by its address');
  return gitSource(given, true, (path) => resolve(cwd, path));
}

function gitSource(given: string, isLocal: boolean, placed: (place: string) => string): SourceName {
  const [place, rest = ''] = splitOnce(given, '#');
  const [ref, folder = ''] = splitOnce(rest, ':');
  if (ref.startsWith('-')) throw refused(`"${ref}" cannot be a ref`, 'a name does not begin with "-"');
  return {
    kind: 'git',
    repository: placed(place),
    isLocal,
    ref: ref === '' ? undefined : ref,
    folder: innerFolder(folder),
  };
}

function splitOnce(text: string, by: string): readonly [string, string | undefined] {
  const at = text.indexOf(by);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function innerFolder(text: string): string {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    throw refused(`"${text}" leads out of the repository`, 'name the folder from the root of the repository');
  return parts.join('/');
}

async function isBareRepository(dir: string): Promise<boolean> {
  const [head, objects, refs] = [join(dir, 'HEAD'), join(dir, 'objects'), join(dir, 'refs')];
  return (await isFile(head)) && (await isFolder(objects)) && (await isFolder(refs));
}

function refused(message: string, repair: string): InputError {
  return new InputError([{ severity: 'error', message, repair }]);
}

/** A repository's address as it may be printed and kept: without a password. */
export function withoutPassword(repository: string): string {
  return repository.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, (whole, scheme: string) =>
    /^ssh:/i.test(scheme) && !whole.slice(scheme.length).includes(':') ? whole : scheme,
  );
}
