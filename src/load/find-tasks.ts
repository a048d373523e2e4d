import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { HARBOR_FILE } from './harbor-task.ts';
import type { NamedKind } from './named-place.ts';
import { NATIVE_FILE } from './native-task.ts';
import { isFile, isFolder } from './read-text.ts';

/** A task folder that takes part, not read yet. */
export interface SelectedTask {
  readonly name: string;
  readonly dir: string;
  readonly format: 'native' | 'harbor';
}

/** How people name tasks. */
export const TASK_KIND: NamedKind = {
  noun: 'task',
  library: 'tasks',
  file: /^task\.(ya?ml|toml)$/i,
  namesIn: async (dir) => ((await listFolder(dir))?.tasks ?? []).map(({ name }) => name),
};

/** What folders hold that were named one by one: each is a task itself, or a folder of tasks. In order of name within a folder. */
export async function findTasks(
  dirs: readonly string[],
): Promise<{ readonly tasks: readonly SelectedTask[]; readonly problems: readonly Problem[] }> {
  const tasks = new Map<string, SelectedTask>();
  const problems: Problem[] = [];
  for (const dir of dirs) {
    const found = await tasksAt(dir);
    problems.push(...found.problems);
    const ordered = found.tasks.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    for (const task of ordered) tasks.set(task.dir, task);
  }
  return { tasks: [...tasks.values()], problems };
}

async function tasksAt(dir: string): Promise<{ tasks: SelectedTask[]; problems: Problem[] }> {
  const listed = await listFolder(dir);
  const where = { file: dir };
  if (listed === undefined) {
    const message = 'there is no such folder';
    return { tasks: [], problems: [{ severity: 'error', message, where, repair: 'correct its path' }] };
  }
  const own = await formatOf(dir);
  if (typeof own === 'string') return { tasks: [{ name: basename(dir), dir, format: own }], problems: [] };
  if (own.severity === 'error') return { tasks: [], problems: [{ ...own, where }] };
  if (listed.tasks.length > 0) return listed;
  const repair = 'name a task folder, or a folder of these';
  const message = 'there are no tasks in this folder';
  return { tasks: [], problems: [...listed.problems, { severity: 'error', message, where, repair }] };
}

/** The task folders in a folder, and what in it is none; undefined where there is no such folder. */
export async function listFolder(
  dir: string,
): Promise<{ tasks: SelectedTask[]; problems: Problem[] } | undefined> {
  if (!(await isFolder(dir))) return undefined;
  const tasks: SelectedTask[] = [];
  const problems: Problem[] = [];
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    if (name.startsWith('.') || !(await isFolder(path))) continue;
    const format = await formatOf(path);
    if (typeof format === 'string') tasks.push({ name, dir: path, format });
    else problems.push({ ...format, where: { file: path } });
  }
  return { tasks, problems };
}

async function formatOf(dir: string): Promise<SelectedTask['format'] | Problem> {
  const native = await isFile(join(dir, NATIVE_FILE));
  const harbor = await isFile(join(dir, HARBOR_FILE));
  if (native && harbor) {
    const message = `the task has both ${NATIVE_FILE} and ${HARBOR_FILE}`;
    return { severity: 'error', message, repair: 'keep one of the two' };
  }
  if (native) return 'native';
  if (harbor) return 'harbor';
  const near = (await readdir(dir)).find((name) => /^task\.ya?ml$/i.test(name));
  if (near !== undefined) {
    const message = `a task's file is called ${NATIVE_FILE}, and ${near} is not read`;
    return { severity: 'error', message, repair: `rename ${near} to ${NATIVE_FILE}` };
  }
  return {
    severity: 'note',
    message: `the folder is no task: it has neither ${NATIVE_FILE} nor ${HARBOR_FILE}`,
  };
}
