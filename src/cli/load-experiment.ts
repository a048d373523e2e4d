import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { lintInstruction } from '../lint/task/instruction-skills.ts';
import { foldersIn, isThere, nearestPlace } from '../load/folder-fault.ts';
import { loadMachineSettings, type MachineSettings } from '../load/machine-settings.ts';
import { loadProject } from '../load/project.ts';
import { isFile, isFolder } from '../load/read-text.ts';
import { renderProblems } from '../load/render-problems.ts';
import { InputError, type Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Environment } from './environment.ts';
import { HOME } from './version.ts';

/** Settings of this machine, kept out of version control. */
export const MACHINE_FILE = join(HOME, '.skillpair', 'machine.yaml');
/** Variable that names another file in its place. */
const MACHINE_VARIABLE = 'SKILLPAIR_MACHINE_FILE';
/** Indexes of images and locks of builds; may be deleted at any time. */
export const CACHE_DIR = join(HOME, '.skillpair', 'cache');
/** One small trial of this product's own: the settings of this machine hold for it as for every experiment. */
export const CANARY_EXPERIMENT = join(HOME, 'experiments', 'canary', 'experiment.yaml');
/** YAML files of other kinds. */
const OTHER_FILES = new Set(['task.yaml', 'harness.yaml', 'discovery.yaml']);

/** Loads an experiment with this machine's settings; stand-ins given as flags win. Throws InputError with every problem. */
export async function loadExperiment(
  environment: Pick<Environment, 'cwd'> & Partial<Pick<Environment, 'env'>>,
  path: string,
  substitute: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const file = resolve(environment.cwd, path);
  const problem = (await folderProblem(file, path)) ?? (await absentExperiment(file, environment.cwd));
  if (problem !== undefined) throw new InputError([problem]);
  const machine = await machineSettings(environment);
  const project = await loadProject({
    experimentPath: file,
    root: HOME,
    machine,
    substitute,
    checkInstruction: lintInstruction,
  });
  if (!project.ok) throw new InputError(project.error);
  return project.value;
}

/** The settings of this machine. Throws InputError with every problem; a file that the environment names must be there. */
export async function machineSettings({
  env,
  cwd,
}: Partial<Pick<Environment, 'env' | 'cwd'>>): Promise<MachineSettings> {
  const named = env?.[MACHINE_VARIABLE] || undefined;
  const path = named === undefined ? MACHINE_FILE : resolve(cwd ?? '', named);
  if (named !== undefined && !(await isFile(path))) throw new InputError([absent(path)]);
  const machine = await loadMachineSettings(path);
  if (!machine.ok) throw new InputError(machine.error);
  return machine.value;
}

/** A machine without settings of its own is usual; one whose settings were named and are not read would build on other images. */
function absent(file: string): Problem {
  return {
    severity: 'error',
    message: `${MACHINE_VARIABLE} names a file that is not there`,
    where: { file },
    repair: `correct ${MACHINE_VARIABLE}, or unset it: then ${MACHINE_FILE} is read where it is there`,
  };
}

/** A folder in the place of an experiment file: told with the experiments that may be meant. `given`: as it was typed. */
async function folderProblem(file: string, given: string): Promise<Problem | undefined> {
  if (!(await isFolder(file))) return undefined;
  const [inside, below] = await Promise.all([experimentsIn(file), experimentsIn(join(file, 'experiments'))]);
  const names = [...inside, ...below.map((name) => join('experiments', name))];
  const shownNames = names.slice(0, 5).map((name) => join(given, name));
  const repair =
    names.length === 0
      ? `write an experiment, such as ${join(given, 'experiment.yaml')}, and name that file`
      : `name the experiment file, such as ${shownNames.join(' or ')}`;
  const message = 'this is a folder; an experiment is a YAML file';
  return { severity: 'error', message, where: { file }, repair };
}

/** No such file: told with the experiment that may be meant, beside it, in `experiments/`, or in a folder here. */
async function absentExperiment(file: string, cwd: string): Promise<Problem | undefined> {
  if (await isThere(file)) return undefined;
  const folders = [...new Set([dirname(file), join(cwd, 'experiments'), ...(await foldersIn(cwd))])];
  const known = await Promise.all(
    folders.map(async (dir) => (await experimentsIn(dir)).map((name) => join(dir, name))),
  );
  const near = nearestPlace(file, known.flat()) ?? nearestPlace(`${file}.yaml`, known.flat());
  return {
    severity: 'error',
    message: 'there is no such file',
    where: { file },
    repair: near === undefined ? 'write it, or correct its path' : `did you mean "${relative(cwd, near)}"?`,
  };
}

async function experimentsIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((): string[] => []);
  return names.filter((name) => /\.ya?ml$/i.test(name) && !OTHER_FILES.has(name)).toSorted();
}

/** Warnings and notes of what loaded; nothing when there are none. */
export function warnings(environment: Environment, problems: readonly Problem[]): string {
  return problems.length === 0 ? '' : renderProblems(problems, environment.cwd);
}
