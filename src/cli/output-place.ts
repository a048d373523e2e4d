import { dirname, resolve } from 'node:path';
import { isThere } from '../load/folder-fault.ts';
import { isFolder } from '../load/read-text.ts';
import { InputError } from '../model/problem.ts';

/** Where a flag says that a file is written. Throws InputError, before any work is done, where a folder stands there or a file is in the way. */
export async function outputFile(cwd: string, flag: string, given: string): Promise<string> {
  const path = resolve(cwd, given);
  if (await isFolder(path)) throw refused(flag, path, 'a folder stands where the file would be written');
  await refuseFileOnTheWay(flag, dirname(path));
  return path;
}

/** Where a flag says that a folder is, or is made. Throws InputError where a file stands there, or is in the way. */
export async function outputFolder(cwd: string, flag: string, given: string): Promise<string> {
  const path = resolve(cwd, given);
  await refuseFileOnTheWay(flag, path);
  return path;
}

async function refuseFileOnTheWay(flag: string, dir: string): Promise<void> {
  let nearest = dir;
  while (!(await isThere(nearest)) && nearest !== dirname(nearest)) nearest = dirname(nearest);
  if (!(await isFolder(nearest))) throw refused(flag, nearest, 'a file stands where a folder is needed');
}

function refused(flag: string, file: string, message: string): InputError {
  const repair = `name another place with ${flag}`;
  return new InputError([{ severity: 'error', message, where: { file }, repair }]);
}
