import { join } from 'node:path';
import { isFolder } from '../load/read-text.ts';
import { HOME } from './version.ts';

/** The library whose Skills a task names: `tasks/` and `skills/` stand side by side in a project. Where there is none, the product's own. */
export async function libraryBeside(taskDir: string): Promise<string> {
  const beside = join(taskDir, '..', '..', 'skills');
  return (await isFolder(beside)) ? beside : join(HOME, 'skills');
}
