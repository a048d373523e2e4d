import { relative, resolve } from 'node:path';
import { inBatches } from '../base/in-batches.ts';
import type { DigestOf } from '../load/file-contents.ts';
import { findTasks, type SelectedTask, TASK_KIND } from '../load/find-tasks.ts';
import { folderFault } from '../load/folder-fault.ts';
import { namedPlace } from '../load/named-place.ts';
import { SkillLibrary } from '../load/skill-library.ts';
import type { LoadedTask } from '../load/task-source.ts';
import { loadTask } from '../load/tasks.ts';
import { hasErrors, InputError, type Problem } from '../model/problem.ts';
import { formatMany } from '../report/format.ts';
import { libraryBeside } from './library-beside.ts';

/** Enough to keep a disk busy while text is looked at. */
export const TASKS_AT_ONCE = 8;
/** How many names an answer lists. */
const MOST_NAMES = 8;

/** A task folder that was read, whether or not it can be run. */
export interface ReadTask extends SelectedTask {
  readonly loaded: LoadedTask;
  /** Folder of the Skills that it may name. */
  readonly libraryDir: string;
}

/** Task folders that were found, and how one of them is read. */
export interface FoundTasks {
  readonly tasks: readonly SelectedTask[];
  readonly read: (task: SelectedTask, digestOf?: DigestOf) => Promise<ReadTask>;
}

/** Finds tasks, or folders of tasks, as they were typed: folders, files of tasks or ids. Throws InputError where one is none and holds none. */
export async function findReadable(
  cwd: string,
  named: readonly string[],
  skills: string | undefined,
): Promise<FoundTasks> {
  const tasks = await namedTasks(cwd, named);
  const noLibrary =
    skills === undefined
      ? undefined
      : await folderFault(resolve(cwd, skills), cwd, 'name the folder of Skills that the tasks use');
  if (noLibrary !== undefined) throw new InputError([noLibrary]);
  const libraries = new Map<string, SkillLibrary>();
  const read: FoundTasks['read'] = async (task, digestOf) => {
    const libraryDir = skills === undefined ? await libraryBeside(task.dir) : resolve(cwd, skills);
    const library = libraries.get(libraryDir) ?? new SkillLibrary(libraryDir);
    libraries.set(libraryDir, library);
    const how = { library, isLibraryMissing: false, allowEnv: {}, needsSolution: false };
    const source = { ...task, ...how, ...(digestOf === undefined ? {} : { digestOf }) };
    return { ...task, libraryDir, loaded: await loadTask(source, task.format) };
  };
  return { tasks, read };
}

/** Reads all of {@link findReadable}. */
export async function readTasks(
  cwd: string,
  folders: readonly string[],
  skills: string | undefined,
): Promise<readonly ReadTask[]> {
  const { tasks, read } = await findReadable(cwd, folders, skills);
  return inBatches(tasks, TASKS_AT_ONCE, (task) => read(task));
}

/** Reads one task, as it was typed. Throws InputError where that is not one. */
export async function readOneTask(cwd: string, given: string, skills: string | undefined): Promise<ReadTask> {
  const { tasks, read } = await findReadable(cwd, [given], skills);
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1) return read(only);
  const message = `this folder holds ${formatMany(tasks.length, 'task')}`;
  const names = tasks.slice(0, MOST_NAMES).map(({ dir }) => relative(cwd, dir));
  const repair = `name one of them, such as ${names.join(', ')}`;
  throw new InputError([{ severity: 'error', message, where: { file: resolve(cwd, given) }, repair }]);
}

/** The tasks that somebody named, each once. Throws InputError with all that is wrong. */
export async function namedTasks(cwd: string, named: readonly string[]): Promise<readonly SelectedTask[]> {
  const places = await Promise.all(named.map((given) => namedPlace(cwd, given, TASK_KIND)));
  const problems: Problem[] = places.flatMap((place) => (place.ok ? [] : [place.error]));
  const found = await findTasks(places.flatMap((place) => (place.ok ? [place.value] : [])));
  problems.push(...found.problems);
  if (hasErrors(problems)) throw new InputError(problems.filter(({ severity }) => severity === 'error'));
  return found.tasks;
}
