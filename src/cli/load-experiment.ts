import { join, resolve } from 'node:path';
import { loadMachineSettings } from '../load/machine-settings.ts';
import { loadProject } from '../load/project.ts';
import { renderProblems } from '../load/render-problems.ts';
import { InputError, type Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Environment } from './environment.ts';
import { HOME } from './version.ts';

/** Settings of this machine, kept out of version control. */
export const MACHINE_FILE = join(HOME, '.skillpair', 'machine.yaml');
/** Indexes of images and locks of builds; may be deleted at any time. */
export const CACHE_DIR = join(HOME, '.skillpair', 'cache');

/** Loads an experiment with this machine's settings; stand-ins given as flags win. Throws InputError with every problem. */
export async function loadExperiment(
  environment: Pick<Environment, 'cwd'>,
  path: string,
  substitute: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const machine = await loadMachineSettings(MACHINE_FILE);
  if (!machine.ok) throw new InputError(machine.error);
  const project = await loadProject({
    experimentPath: resolve(environment.cwd, path),
    root: HOME,
    machine: machine.value,
    substitute,
  });
  if (!project.ok) throw new InputError(project.error);
  return project.value;
}

/** Warnings and notes of what loaded; nothing when there are none. */
export function warnings(environment: Environment, problems: readonly Problem[]): string {
  return problems.length === 0 ? '' : renderProblems(problems, environment.cwd);
}
