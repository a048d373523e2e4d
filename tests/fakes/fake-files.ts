import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { packTar, readTar, type TarEntry } from '../../src/engine/archive.ts';
import type { PathChange } from '../../src/engine/engine.ts';

/** A file, folder or link of an in-memory container. */
export interface FakeFile {
  readonly kind: 'file' | 'folder' | 'link';
  readonly content: Buffer;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly target?: string;
}

/** A file system: absolute path -> entry. Every parent of an entry is there too. */
export type FakeFiles = Map<string, FakeFile>;

/** What tests write: path -> text, bytes, or an entry in full; `null` removes; a path ending in `/` is a folder. */
export type FilesInput = Readonly<Record<string, string | Uint8Array | Partial<FakeFile> | null>>;

const FOLDER: FakeFile = { kind: 'folder', content: Buffer.alloc(0), mode: 0o755, uid: 0, gid: 0 };

/** Makes a file system, or changes one in place, from what a test wrote. */
export function writeFiles(files: FakeFiles, input: FilesInput): FakeFiles {
  for (const [name, value] of Object.entries(input)) {
    const path = cleanPath(name);
    if (value === null) removeTree(files, path);
    else setFile(files, path, toFile(name, value));
  }
  return files;
}

function toFile(name: string, value: string | Uint8Array | Partial<FakeFile>): FakeFile {
  if (name.endsWith('/')) return FOLDER;
  const plain = { kind: 'file', content: Buffer.alloc(0), mode: 0o644, uid: 0, gid: 0 } as const;
  if (typeof value === 'string' || value instanceof Uint8Array)
    return { ...plain, content: Buffer.from(value) };
  return { ...plain, ...value };
}

/** Sets one entry and makes its parents. */
export function setFile(files: FakeFiles, path: string, file: FakeFile): void {
  const parts = path.split('/').slice(1, -1);
  let parent = '';
  for (const part of parts) {
    parent += `/${part}`;
    if (!files.has(parent)) files.set(parent, FOLDER);
  }
  if (path !== '/') files.set(path, file);
}

/** Absolute, without `.`, `..` or a slash at the end. */
export function cleanPath(path: string): string {
  return posix.normalize(`/${path}`).replace(/(.)\/+$/, '$1');
}

/** Removes a path and all below it. */
export function removeTree(files: FakeFiles, path: string): void {
  for (const other of [...files.keys()]) if (isWithin(other, path)) files.delete(other);
}

/** True for the path itself and everything below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** A tar of a path as an engine gives it: names start with the path's own last part. Undefined where nothing is. */
export function tarOf(files: FakeFiles, path: string): Readable | undefined {
  const top = cleanPath(path);
  if (top !== '/' && !files.has(top)) return undefined;
  const cut = top === '/' ? 1 : top.lastIndexOf('/') + 1;
  const entries: TarEntry[] = [];
  for (const [name, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isWithin(name, top)) continue;
    const { kind, mode, uid, gid, content, target } = file;
    entries.push({
      path: name.slice(cut),
      kind,
      mode,
      uid,
      gid,
      ...(kind === 'file' ? { content } : {}),
      ...(target === undefined ? {} : { target }),
    });
  }
  return packTar(entries);
}

/** The entries of a tar by absolute path, in its order; a path may come more than once. */
export async function untar(tar: Readable): Promise<readonly (readonly [string, FakeFile])[]> {
  const files: [string, FakeFile][] = [];
  for await (const entry of readTar(tar)) {
    const { kind, mode, uid, gid, target } = entry;
    const content = await buffer(entry.content);
    if (kind !== 'file' && kind !== 'folder' && kind !== 'link') continue;
    const plain = { kind, content, mode: mode & 0o7777, uid, gid };
    files.push([`/${entry.path}`, target === undefined ? plain : { ...plain, target }]);
  }
  return files;
}

/** What differs, as an engine lists it: parents of a change count as modified, and what was in a folder that is gone goes without saying. */
export function filesChanged(before: FakeFiles, after: FakeFiles): readonly PathChange[] {
  const changes = new Map<string, PathChange['kind']>();
  for (const [path, file] of after) {
    const old = before.get(path);
    if (old === undefined) changes.set(path, 'added');
    else if (!isSame(old, file)) changes.set(path, 'modified');
  }
  const deleted = [...before.keys()].filter((path) => !after.has(path));
  for (const path of deleted)
    if (after.get(parentOf(path))?.kind === 'folder' || parentOf(path) === '/') changes.set(path, 'deleted');
  const parents = [...changes.keys()]
    .flatMap(parentsOf)
    .filter((path) => before.has(path) && !changes.has(path));
  for (const parent of parents) changes.set(parent, 'modified');
  return [...changes].map(([path, kind]) => ({ path, kind })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function parentsOf(path: string): string[] {
  const parent = parentOf(path);
  return parent === '/' ? [] : [...parentsOf(parent), parent];
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function isSame(a: FakeFile, b: FakeFile): boolean {
  return (
    a.kind === b.kind &&
    a.mode === b.mode &&
    a.uid === b.uid &&
    a.gid === b.gid &&
    a.target === b.target &&
    a.content.equals(b.content)
  );
}
