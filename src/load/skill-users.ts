import { join } from 'node:path';
import type { SelectedTask } from './find-tasks.ts';
import { isFile } from './read-text.ts';
import { bundleNames, loadSkill } from './skills.ts';
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

/** Digests of the bundles that a task has of its own, in either format. What does not load has none. */
export async function ownBundleDigests({ dir, format }: SelectedTask): Promise<readonly string[]> {
  const folder = join(dir, format === 'native' ? 'skills' : 'environment/skills');
  const digests: string[] = [];
  for (const name of await bundleNames(folder)) {
    const { skill } = await loadSkill(join(folder, name));
    if (skill !== undefined) digests.push(skill.digest);
  }
  return digests;
}
