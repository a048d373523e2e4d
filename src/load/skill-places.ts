import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { InputError } from '../model/problem.ts';
import { bundleNames } from './skills.ts';

/** Where a task keeps its own Skills, in both formats. */
const IN_TASK = ['environment/skills', 'skills'];

/**
 * The bundles that a folder stands for: itself, those of a library, or those of a task (its own; shared ones stand in the library).
 * A folder that is none of these is taken for a bundle without a SKILL.md. Throws InputError where there is no folder.
 */
export async function bundlesAt(path: string): Promise<readonly string[]> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) {
    const repair = 'name the folder of a Skill, or a folder of such folders';
    const message = 'there is no such folder';
    throw new InputError([{ severity: 'error', message, where: { file: path }, repair }]);
  }
  // A place such as "." has its name from where it really is.
  const dir = ['.', '..'].includes(basename(path)) ? await realpath(path) : path;
  const inside = await readdir(dir).catch((): string[] => []);
  if (inside.includes('SKILL.md')) return [dir];
  for (const folder of [dir, ...IN_TASK.map((inner) => join(dir, inner))]) {
    const names = await bundleNames(folder);
    if (names.length > 0) return names.map((name) => join(folder, name));
  }
  return [dir];
}
