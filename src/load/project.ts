import { dirname, relative, resolve, sep } from 'node:path';
import { deepFreeze } from '../base/deep-freeze.ts';
import { err, ok, type Result } from '../base/result.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import { crossCheck } from './cross-checks.ts';
import { folderDigest } from './digest.ts';
import { type LoadedExperiment, loadExperiment } from './experiment.ts';
import { loadHarnesses } from './harnesses.ts';
import { valueAt } from './located-file.ts';
import type { MachineImages } from './machine-settings.ts';
import { loadModels } from './models.ts';
import { isFolder } from './read-text.ts';
import { selectTasks } from './select-tasks.ts';
import { SkillLibrary } from './skill-library.ts';
import { type InstructionCheck, loadTasks } from './tasks.ts';

/** What {@link loadProject} is told beside the files. */
export interface LoadOptions {
  readonly experimentPath: string;
  /** Folder against which places in problems are named. */
  readonly root: string;
  readonly machine: MachineImages;
  /** Stand-ins for base images given for this run alone: they win over the experiment's and the machine's. */
  readonly substitute?: Readonly<Record<string, string>>;
  /** Host variables that tasks may draw with `${NAME}`, and their values. None by default. */
  readonly allowEnv?: Readonly<Record<string, string>>;
  /** Checks each instruction against the Skills of its task; absent: nothing is checked. */
  readonly checkInstruction?: InstructionCheck;
  /** Warnings count as errors. */
  readonly strict?: boolean;
}

/**
 * Reads all that an experiment names, checks it together and freezes it; or tells every problem at once. Files in
 * problems are relative to `root` where they lie in it. Never rejects for what a user wrote.
 */
export async function loadProject(options: LoadOptions): Promise<Result<Project, Problem[]>> {
  const experimentPath = resolve(options.root, options.experimentPath);
  const settle = (problems: readonly Problem[]) => settled(problems, options);
  const loaded = await loadExperiment(experimentPath, options.machine, options.substitute);
  if (!loaded.ok) return err(settle(loaded.error));
  const parts = await loadParts(loaded.value, { ...options, experimentPath });
  const problems = settle(parts.problems);
  if (hasErrors(problems)) return err(problems);
  const { experiment, configurations } = loaded.value;
  const { tasks, harnesses, discovery, script, verifiersDir } = parts;
  for (const harness of harnesses.values()) deepFreeze(harness);
  const verifiersDigest = await folderDigest(verifiersDir);
  return ok(
    deepFreeze({
      experimentPath,
      experiment,
      tasks,
      configurations,
      harnesses,
      discovery,
      ...(script === undefined ? {} : { script }),
      verifiersDir,
      verifiersDigest,
      problems,
    }),
  );
}

type Parts = Pick<Project, 'tasks' | 'harnesses' | 'discovery' | 'script' | 'verifiersDir' | 'problems'>;

async function loadParts(loaded: LoadedExperiment, options: LoadOptions): Promise<Parts> {
  const { file, experiment, configurations } = loaded;
  const base = dirname(options.experimentPath);
  const found = await loadHarnesses({ dir: resolve(base, experiment.harnesses), file, configurations });
  const models = await loadModels(file, { base, configurations, harnesses: found.harnesses });
  const selection = await selectTasks(file, base);
  const folders = await missingFolders(loaded, base);
  const isLibraryMissing = folders.some(({ key }) => key === 'skills');
  const library = new SkillLibrary(resolve(base, experiment.skills));
  const read = await loadTasks(selection.tasks, {
    library,
    isLibraryMissing,
    allowEnv: options.allowEnv ?? {},
    checkInstruction: options.checkInstruction ?? (() => []),
    needsSolution: [...found.harnesses.values()].some(({ manifest }) => manifest.special === 'oracle'),
  });
  const problems = [
    ...file.problems,
    ...found.problems,
    ...models.problems,
    ...selection.problems,
    ...read.problems,
    // Without their library, tasks have fewer Skills than they name.
    ...crossCheck(file, isLibraryMissing ? [] : read.tasks),
    ...folders.map(({ problem }) => problem),
  ];
  const { harnesses, discovery } = found;
  const verifiersDir = resolve(base, experiment.verifiers);
  return { tasks: read.tasks, harnesses, discovery, script: models.script, verifiersDir, problems };
}

/** A library of Skills need not be there as long as nobody names one: tasks may have all of theirs. */
async function missingFolders(
  { file, experiment }: LoadedExperiment,
  base: string,
): Promise<{ readonly key: 'skills' | 'verifiers'; readonly problem: Problem }[]> {
  const keys = (['skills', 'verifiers'] as const).filter(
    (key) => key === 'verifiers' || valueAt(file.written, [key]) !== undefined,
  );
  const looked = await Promise.all(
    keys.map(async (key) => ({
      key,
      dir: resolve(base, experiment[key]),
      is: await isFolder(resolve(base, experiment[key])),
    })),
  );
  return looked.flatMap(({ key, dir, is }) => {
    if (is) return [];
    const message = `there is no folder of ${key === 'skills' ? 'Skills' : key} at ${dir}`;
    const repair = `correct "${key}"`;
    return [{ key, problem: { severity: 'error', message, where: file.locate([key]), repair } }];
  });
}

/** Each problem once (tasks share Skills), with its place named from the root. */
function settled(problems: readonly Problem[], options: LoadOptions): Problem[] {
  const seen = new Set<string>();
  return problems
    .map((problem): Problem => {
      const severity = options.strict === true && problem.severity === 'warning' ? 'error' : problem.severity;
      if (problem.where === undefined) return { ...problem, severity };
      return {
        ...problem,
        severity,
        where: { ...problem.where, file: named(problem.where.file, options.root) },
      };
    })
    .filter((problem) => {
      const key = JSON.stringify(problem);
      return !seen.has(key) && seen.add(key) !== undefined;
    });
}

function named(file: string, root: string): string {
  const way = relative(root, file);
  return way === '..' || way.startsWith(`..${sep}`) ? file : way || '.';
}
