import { type Dirent, promises as fs } from 'node:fs';
import { join } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { fileDigest } from '../base/file-digest.ts';
import { inBatches } from '../base/in-batches.ts';
import type { TarEntry } from '../engine/archive.ts';
import { Fault } from '../model/fault.ts';

/** Enough to keep a disk busy. */
const FILES_AT_ONCE = 16;

/** One entry of a build context, as a listing of its folder tells of it. */
export interface ContextName {
  /** Relative to the context, `/` between parts. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** Links only, as written. */
  readonly target?: string;
}

/** One entry of a build context. */
export interface ContextEntry extends ContextName {
  /** Permission bits as they are on the host. */
  readonly mode: number;
  readonly size: number;
  /** Of a file's bytes. */
  readonly digest?: string;
  /** Files: their bytes, or where they are on the host. */
  readonly content?: Uint8Array | { readonly hostPath: string; readonly size: number };
}

/**
 * Reads a build context as the engine's own client would send it: `.dockerignore` honoured, links kept as links,
 * sorted by path. Throws Fault `build-failed` for what cannot be sent (a socket, an unreadable file).
 */
export async function readContext(contextDir: string): Promise<readonly ContextEntry[]> {
  return readEntries(contextDir, await listContext(contextDir));
}

/** The rest of {@link readContext} for what was listed: every file is read. */
export async function readEntries(
  contextDir: string,
  names: readonly ContextName[],
): Promise<readonly ContextEntry[]> {
  try {
    return await inBatches(names, FILES_AT_ONCE, (name) => readEntry(contextDir, name));
  } catch (error) {
    throw contextFault(contextDir, error);
  }
}

/** What {@link readContext} would read, by names alone: no file is opened. */
export async function listContext(contextDir: string): Promise<readonly ContextName[]> {
  const isKept = await ignoreRules(contextDir);
  const names: ContextName[] = [];
  const walk = async (folder: string) => {
    for (const child of await fs.readdir(join(contextDir, folder), { withFileTypes: true })) {
      const path = folder === '' ? child.name : `${folder}/${child.name}`;
      if (isKept(path)) names.push(await nameEntry(contextDir, path, child));
      // An exception (`!a/b`) may stand below an ignored folder, so that folder is looked into all the same.
      if (child.isDirectory()) await walk(path);
    }
  };
  try {
    await walk('');
  } catch (error) {
    throw contextFault(contextDir, error);
  }
  return names.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function contextFault(contextDir: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Fault('build-failed', 'build', `the build context ${contextDir} cannot be read: ${reason}`, {
    cause,
  });
}

async function ignoreRules(contextDir: string): Promise<(path: string) => boolean> {
  const text = await fs.readFile(join(contextDir, '.dockerignore'), 'utf8').catch(() => undefined);
  if (text === undefined) return () => true;
  return createIgnore()
    .add(text.replace(/^\uFEFF/, ''))
    .createFilter();
}

/** The package's types say `export default`, its code is CommonJS: Node gives the function itself. */
function createIgnore() {
  return (dockerignore as unknown as typeof dockerignore.default)({ ignorecase: false });
}

async function nameEntry(contextDir: string, path: string, child: Dirent): Promise<ContextName> {
  if (child.isDirectory()) return { path, kind: 'folder' };
  const hostPath = join(contextDir, path);
  if (child.isSymbolicLink()) return { path, kind: 'link', target: await fs.readlink(hostPath) };
  if (child.isFile()) return { path, kind: 'file' };
  throw new Fault(
    'build-failed',
    'build',
    `${hostPath} is neither file, folder nor link: a build context cannot hold it; remove it or name it in .dockerignore`,
  );
}

async function readEntry(contextDir: string, name: ContextName): Promise<ContextEntry> {
  if (name.kind === 'link') return { ...name, mode: 0o777, size: 0 };
  const hostPath = join(contextDir, name.path);
  const { mode: rawMode, size } = await fs.lstat(hostPath);
  const mode = rawMode & 0o7777;
  if (name.kind === 'folder') return { ...name, mode, size: 0 };
  return { ...name, mode, size, digest: await fileDigest(hostPath, size), content: { hostPath, size } };
}

/** The entry as it goes into the tar that the engine is sent: owned by root, as the engine makes it anyway. */
export function toTarEntry(entry: ContextEntry): TarEntry {
  return {
    path: entry.path,
    kind: entry.kind,
    mode: entry.mode,
    uid: 0,
    gid: 0,
    ...(entry.content === undefined ? {} : { content: entry.content }),
    ...(entry.target === undefined ? {} : { target: entry.target }),
  };
}
