import { join } from 'node:path';
import { loadHarnessFolder } from '../../load/harnesses.ts';
import type { Configuration } from '../../model/configuration.ts';
import { ConfigurationName } from '../../model/ids.ts';
import type { Project } from '../../model/project.ts';
import type { Task } from '../../model/task.ts';
import { HOME } from '../version.ts';

/** Runs the task's solution; needs no model. */
export const ORACLE = 'oracle';
/** Does nothing; needs no model. */
export const NOP = 'nop';

/** A project of these tasks in both arms with the two harnesses, under this machine's settings as `base` has them. */
export async function gateProject(base: Project, tasks: readonly Task[], trials: number): Promise<Project> {
  const { harnesses } = await loadHarnessFolder(join(HOME, 'harnesses'));
  const configurations = [ORACLE, NOP].map(
    (harness): Configuration => ({ name: ConfigurationName.parse(harness), harness, env: {} }),
  );
  const used = new Map([...harnesses].filter(([id]) => id === ORACLE || id === NOP));
  return {
    ...base,
    experiment: {
      ...base.experiment,
      name: 'task-check',
      conditions: ['no-skills', 'with-skills'],
      trials,
      attempts: { ...base.experiment.attempts, max: 2 },
    },
    tasks,
    configurations,
    harnesses: used,
    problems: [],
  };
}

/** The same project with each task's almost-right solution in the place of its solution; tasks without one are left out. */
export function almostRightProject(project: Project): Project {
  const tasks = project.tasks.flatMap(({ almostRight, ...task }): Task[] =>
    almostRight === undefined ? [] : [{ ...task, solution: almostRight }],
  );
  return { ...project, tasks };
}
