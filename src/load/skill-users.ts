import { join } from 'node:path';
import { isFile } from './read-text.ts';
import { bundleNames } from './skills.ts';
import { TaskFile } from './task-file.ts';
import { readYamlFile } from './yaml-file.ts';

/** Skills of the shared library that a task uses: those it names and has no bundle of its own for. None where it cannot be read. */
export async function skillNamesOfTask(dir: string): Promise<readonly string[]> {
  const path = join(dir, 'task.yaml');
  if (!(await isFile(path))) return [];
  const file = await readYamlFile(path, TaskFile);
  if (!file.ok) return [];
  const own = await bundleNames(join(dir, 'skills'));
  return (file.value.value.skills ?? []).filter((name) => !own.includes(name));
}
