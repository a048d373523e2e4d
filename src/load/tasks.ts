import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Task } from '../model/task.ts';
import { loadHarborTask } from './harbor-task.ts';
import { lintInstruction } from './instruction-lint.ts';
import { loadNativeTask } from './native-task.ts';
import type { SelectedTask } from './select-tasks.ts';
import type { TaskSource } from './task-source.ts';

/** Reads the selected tasks, each in its own format; a task with an error is missing from the list. */
export async function loadTasks(
  selected: readonly SelectedTask[],
  shared: Omit<TaskSource, 'name' | 'dir'>,
): Promise<{ readonly tasks: readonly Task[]; readonly problems: readonly Problem[] }> {
  const tasks: Task[] = [];
  const problems: Problem[] = [];
  for (const { name, dir, format } of selected) {
    const load = format === 'native' ? loadNativeTask : loadHarborTask;
    const loaded = await load({ ...shared, name, dir });
    problems.push(...loaded.problems);
    if (loaded.task === undefined) continue;
    tasks.push(loaded.task);
    const { instruction } = loaded.task;
    const { skillBodies } = loaded;
    problems.push(...lintInstruction({ instruction, path: join(dir, 'instruction.md'), skillBodies }));
  }
  return { tasks, problems };
}
