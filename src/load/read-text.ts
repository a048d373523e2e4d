import { readFile, stat } from 'node:fs/promises';
import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';

const MIB = 1024 * 1024;
const LIMIT_MIB = 8;

/**
 * Reads a file that a person wrote: a regular file of at most 8 MiB (or `limitMib`) in UTF-8. A byte order mark stays.
 * Anything else (a folder, a FIFO, Latin-1) is one {@link Problem}; never rejects.
 */
export async function readText(path: string, limitMib = LIMIT_MIB): Promise<Result<string, Problem>> {
  const problem = (message: string, repair: string) =>
    err<Problem>({ severity: 'error', message, where: { file: path }, repair });
  try {
    const found = await stat(path);
    if (!found.isFile()) return problem('not a regular file', 'put a plain text file there');
    if (found.size > limitMib * MIB)
      return problem(`the file has ${found.size} bytes`, `keep it under ${limitMib} MiB`);
    const bytes = await readFile(path);
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    return problem(...unreadable(error));
  }
}

function unreadable(error: unknown): [message: string, repair: string] {
  if (error instanceof TypeError) return ['the file is not UTF-8 text', 'save it as UTF-8'];
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return ['there is no such file', 'write it, or correct its path'];
  if (code === 'EACCES') return ['the file cannot be read: permission denied', 'make it readable'];
  return [`the file cannot be read: ${(error as Error).message}`, 'check the path and the disk'];
}

/** True for a regular file (links followed). */
export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** True for a folder (links followed). */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
