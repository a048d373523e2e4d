import { mkdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { matchesGlob } from '../../base/glob.ts';
import { didYouMean } from '../../load/did-you-mean.ts';
import { findTasks, type SelectedTask } from '../../load/find-tasks.ts';
import { InputError, type Problem } from '../../model/problem.ts';
import { formatMany } from '../../report/format.ts';
import { type ImportRow, renderImports, renderLeftOut } from '../../report/import-table.ts';
import { engineIfAny } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT, interruptedCode } from '../exit-code.ts';
import { CANARY_EXPERIMENT, loadExperiment, warnings } from '../load-experiment.ts';
import { outputFolder } from '../output-place.ts';
import { readTasks } from '../read-tasks.ts';
import { sweepStaging } from '../task-import/copy-task.ts';
import { type ImportPlan, importTask, type TaskImport } from '../task-import/import-task.ts';
import { type OpenSource, openSource } from '../task-import/open-source.ts';
import { readSourceName, type SourceName, withoutPassword } from '../task-import/source-name.ts';
import { lookAtStates } from '../task-state.ts';

/** Flags of `task import`. */
interface ImportFlags {
  readonly into: string;
  readonly only: readonly string[];
  readonly replace: boolean;
  readonly allFiles: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `skillpair task import`: copies tasks here, each whole or not at all. Exit code 1 where one was refused, or was there already. */
export async function taskImportCommand(
  environment: Environment,
  [given = '']: readonly string[],
  flags: ImportFlags,
): Promise<number> {
  using interrupt = interruptOf(environment);
  try {
    const imports = await importAll(environment, { given, flags, signal: interrupt.signal });
    const by = interrupt.by();
    if (by !== undefined) return interruptedCode(by);
    return imports.every(isDone) ? EXIT.ok : EXIT.gate;
  } catch (error) {
    const by = interrupt.by();
    if (by === undefined) throw error;
    return interruptedCode(by);
  }
}

function isDone({ outcome }: TaskImport): boolean {
  return outcome === 'imported' || outcome === 'would-import';
}

async function importAll(
  environment: Environment,
  { given, flags, signal }: { given: string; flags: ImportFlags; signal: AbortSignal },
): Promise<readonly TaskImport[]> {
  const { cwd, stdout, stderr } = environment;
  await outputFolder(cwd, '--into', flags.into);
  const name = await readSourceName(cwd, given);
  if (name.kind === 'git' && !name.isLocal) say(stderr, `fetching ${withoutPassword(name.repository)}`);
  await using source = await openSource(name, { env: environment.env, signal });
  const tasks = await chosenTasks(source, name, flags.only);
  const plan = planOf(environment, { given, source, flags });
  if (!plan.isDry) await mkdir(plan.into, { recursive: true });
  await sweepStaging(plan.into);
  const imports: TaskImport[] = [];
  for (const task of tasks) if (!signal.aborted) imports.push(await importTask(task, plan));
  const rows = await rowsOf(environment, imports);
  say(stdout, flags.json ? jsonOf(source, plan, rows) : renderImports(rows));
  stderr.stream.write(warnings(environment, shownProblems(imports, plan)));
  stderr.stream.write(renderLeftOut(rows));
  say(stderr, countsOf(rows, relative(cwd, plan.into) || '.'));
  return imports;
}

/** One signal ends the import behind the task that is being copied. */
function interruptOf(environment: Environment) {
  const stop = new AbortController();
  let by: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;
  const off = environment.onSignal((signal) => {
    by ??= signal;
    stop.abort();
  });
  return { signal: stop.signal, by: () => by, [Symbol.dispose]: off };
}

function planOf(
  { cwd, now }: Environment,
  { given, source, flags }: { given: string; source: OpenSource; flags: ImportFlags },
): ImportPlan {
  return {
    source,
    into: resolve(cwd, flags.into),
    shownSource: given,
    isWhole: flags.allFiles,
    isReplacing: flags.replace,
    isDry: flags.dryRun,
    now,
  };
}

async function chosenTasks(
  source: OpenSource,
  name: SourceName,
  only: readonly string[],
): Promise<readonly SelectedTask[]> {
  const { tasks, problems } = await findTasks([source.dir]);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new InputError(errors.map((problem) => placed(problem, source, name)));
  for (const glob of only) {
    if (tasks.some((task) => matchesGlob(glob, task.name))) continue;
    const names = tasks.map((task) => task.name);
    const message = `there is no task "${glob}" in the source`;
    throw new InputError([{ severity: 'error', message, repair: didYouMean(glob, names) }]);
  }
  return tasks.filter((task) => only.length === 0 || only.some((glob) => matchesGlob(glob, task.name)));
}

/** A repository's files lie in a folder that is gone when somebody reads of it. */
function placed(problem: Problem, { root }: OpenSource, name: SourceName): Problem {
  if (name.kind === 'folder' || problem.where === undefined) return problem;
  return { ...problem, where: { ...problem.where, file: shownPath(root, problem.where.file) } };
}

function shownPath(root: string, file: string): string {
  const way = relative(root, file);
  return way === '' ? '(the repository)' : `(the repository)/${way}`;
}

function shownProblems(imports: readonly TaskImport[], { source }: ImportPlan): Problem[] {
  const found = imports.flatMap(({ problems }) => problems);
  return found.map((problem) => {
    const { where } = problem;
    if (source.git === undefined || !where?.file.startsWith(source.root)) return problem;
    return { ...problem, where: { ...where, file: shownPath(source.root, where.file) } };
  });
}

/** Whether each can be run is asked of the copy, or, where nothing was copied, of the source. */
async function rowsOf(environment: Environment, imports: readonly TaskImport[]): Promise<ImportRow[]> {
  const looked = imports.filter(isDone);
  const states = new Map<string, ImportRow['state']>();
  if (looked.length > 0) {
    const project = await loadExperiment(environment, CANARY_EXPERIMENT);
    const dirs = looked.map(({ dir }) => dir);
    const tasks = await readTasks(environment.cwd, dirs, undefined);
    const engine = (await engineIfAny(environment))?.engine;
    for (const { dir, state } of await lookAtStates(tasks, project, engine)) states.set(dir, state);
  }
  return imports.map(({ name, outcome, files, bytes, leftOut, absent, problems, dir }) => ({
    id: name,
    outcome,
    files,
    bytes,
    state: states.get(dir),
    reasons: problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    leftOut,
    absent: absent.map(({ path }) => path),
  }));
}

function jsonOf({ git }: OpenSource, { into, shownSource }: ImportPlan, tasks: readonly ImportRow[]): string {
  const from = git === undefined ? { path: shownSource } : git;
  return canonicalJson({ schemaVersion: 1, source: from, into, tasks });
}

function countsOf(rows: readonly ImportRow[], into: string): string {
  const count = (outcome: ImportRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const [came, would, refused, there] = [
    count('imported'),
    count('would-import'),
    count('refused'),
    count('already-there'),
  ];
  const done =
    would > 0 ? `${formatMany(would, 'task')} would be imported` : `${formatMany(came, 'task')} imported`;
  const not = [
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(there === 0 ? [] : [`${there} there already`]),
  ];
  return [`${done} into ${into}`, ...not].join(', ');
}
