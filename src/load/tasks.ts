import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Task } from '../model/task.ts';
import type { SelectedTask } from './find-tasks.ts';
import { loadHarborTask } from './harbor-task.ts';
import { loadNativeTask } from './native-task.ts';
import type { LoadedTask, TaskSource } from './task-source.ts';

/** What checks an instruction against the Skills of its task: a check is no part of reading, so the caller brings it. */
export type InstructionCheck = (text: {
  readonly instruction: string;
  readonly path: string;
  readonly skillBodies: ReadonlyMap<string, string>;
}) => readonly Problem[];

/** Reads the selected tasks, each in its own format; a task with an error is missing from the list. */
export async function loadTasks(
  selected: readonly SelectedTask[],
  shared: Omit<TaskSource, 'name' | 'dir'> & { readonly checkInstruction: InstructionCheck },
): Promise<{ readonly tasks: readonly Task[]; readonly problems: readonly Problem[] }> {
  const tasks: Task[] = [];
  const problems: Problem[] = [];
  for (const { name, dir, format } of selected) {
    const loaded = await loadTask({ ...shared, name, dir }, format);
    problems.push(...loaded.problems);
    if (loaded.task === undefined) continue;
    tasks.push(loaded.task);
    const { instruction } = loaded.task;
    const { skillBodies } = loaded;
    problems.push(
      ...shared.checkInstruction({ instruction, path: join(dir, 'instruction.md'), skillBodies }),
    );
  }
  return { tasks, problems };
}

/** Reads one task folder in its format. Never rejects for what is in the folder. */
export function loadTask(source: TaskSource, format: SelectedTask['format']): Promise<LoadedTask> {
  return format === 'native' ? loadNativeTask(source) : loadHarborTask(source);
}
