import { join } from 'node:path';
import type { Configuration } from '../../model/configuration.ts';
import type { Harness } from '../../model/harness.ts';
import { type ConditionName, ConfigurationName } from '../../model/ids.ts';
import type { Project } from '../../model/project.ts';
import type { Task } from '../../model/task.ts';
import { type Trial, trialId } from '../../model/trial.ts';
import { skillFoldersOf } from '../../run/try-task.ts';
import { namedHarness } from '../named-harness.ts';
import { HOME } from '../version.ts';

/** One trial and everything that it names. */
export interface OneTrial {
  readonly project: Project;
  readonly trial: Trial;
  readonly configuration: Configuration;
  readonly harness: Harness;
}

/** A project of one trial under this machine's settings as `base` has them. Throws InputError for a harness that is not there. */
export async function tryProject(
  base: Project,
  task: Task,
  {
    condition,
    harness: id,
    cwd,
  }: { readonly condition: ConditionName; readonly harness: string; readonly cwd: string },
): Promise<OneTrial> {
  const harness = skillFoldersOf(await namedHarness(join(HOME, 'harnesses'), id, cwd));
  const configuration = { name: ConfigurationName.parse('try'), harness: id, env: {} };
  const parts = { task: task.id, condition, configuration: configuration.name, index: 1 };
  const project = {
    ...base,
    tasks: [task],
    configurations: [configuration],
    harnesses: new Map([[id, harness]]),
    problems: [],
  };
  return { project, configuration, harness, trial: { id: trialId(parts), ...parts } };
}
