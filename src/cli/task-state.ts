import type { Engine } from '../engine/engine.ts';
import type { Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { TaskState } from '../report/task-table.ts';
import { lookAtTasks } from './look-at-images.ts';
import type { ReadTask } from './read-tasks.ts';

/** A task, what was said while reading it and looking at its Dockerfile, and whether it can be run. */
export interface SeenTask extends ReadTask {
  readonly problems: readonly Problem[];
  readonly state: TaskState;
}

/** Looks at all tasks, also at what an engine has of their bases, where one answers. Builds and pulls nothing. */
export async function lookAtStates(
  tasks: readonly ReadTask[],
  project: Project,
  engine: Engine | undefined,
): Promise<readonly SeenTask[]> {
  const known = tasks.flatMap(({ loaded }) => loaded.task ?? loaded.refused ?? []);
  const looks = new Map((await lookAtTasks(project, known, engine)).map((look, at) => [known[at], look]));
  return tasks.map((task) => {
    const look = looks.get(task.loaded.task ?? task.loaded.refused);
    const problems = [...task.loaded.problems, ...(look?.problems ?? [])];
    const reasons = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    return { ...task, problems, state: stateOf(reasons, look?.toPull ?? []) };
  });
}

function stateOf(reasons: readonly string[], toPull: readonly string[]): TaskState {
  if (reasons.length > 0) return { kind: 'cannot-run', reasons };
  return toPull.length > 0 ? { kind: 'needs-images', images: toPull } : { kind: 'runnable' };
}
