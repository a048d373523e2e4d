import { join } from 'node:path';
import { ok, type Result } from '../base/result.ts';
import type { Place, Problem } from '../model/problem.ts';
import type { SelectedTask } from './find-tasks.ts';
import { NATIVE_FILE } from './native-task.ts';
import { isFile } from './read-text.ts';
import { bundleNames, loadSkill } from './skills.ts';
import { TaskFile } from './task-file.ts';
import { readYamlFile } from './yaml-file.ts';

/** A Skill that a task names, and where. */
export interface NamedSkill {
  readonly name: string;
  readonly where: Place;
}

/** Skills of the shared library that a task uses: those it names and has no bundle of its own for; or why its file cannot be read. */
export async function sharedSkillsOfTask(dir: string): Promise<Result<readonly NamedSkill[], Problem[]>> {
  const path = join(dir, NATIVE_FILE);
  if (!(await isFile(path))) return ok([]);
  const file = await readYamlFile(path, TaskFile);
  if (!file.ok) return file;
  const own = await bundleNames(join(dir, 'skills'));
  const named = file.value.value.skills.map((name, index) => ({
    name,
    where: file.value.locate(['skills', index]),
  }));
  return ok(named.filter(({ name }) => !own.includes(name)));
}

/** Names of {@link sharedSkillsOfTask}; none where the task's file cannot be read. */
export async function skillNamesOfTask(dir: string): Promise<readonly string[]> {
  const shared = await sharedSkillsOfTask(dir);
  return shared.ok ? shared.value.map(({ name }) => name) : [];
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
