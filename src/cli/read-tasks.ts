import { join, resolve } from 'node:path';
import { inBatches } from '../base/in-batches.ts';
import type { DigestOf } from '../load/file-contents.ts';
import { findTasks, type SelectedTask } from '../load/find-tasks.ts';
import { isFolder } from '../load/read-text.ts';
import { SkillLibrary } from '../load/skill-library.ts';
import type { LoadedTask } from '../load/task-source.ts';
import { loadTask } from '../load/tasks.ts';
import { hasErrors, InputError } from '../model/problem.ts';
import { HOME } from './version.ts';

/** Enough to keep a disk busy while text is looked at. */
export const TASKS_AT_ONCE = 8;

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

/** Finds the tasks of folders as they were typed. Throws InputError where a folder is no task and holds none. */
export async function findReadable(
  cwd: string,
  folders: readonly string[],
  skills: string | undefined,
): Promise<FoundTasks> {
  const { tasks, problems } = await findTasks(folders.map((folder) => resolve(cwd, folder)));
  if (hasErrors(problems)) throw new InputError(problems.filter(({ severity }) => severity === 'error'));
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

/** Reads one task, named by its folder, or by its id in `tasks/`. Throws InputError where that is not one. */
export async function readOneTask(cwd: string, given: string, skills: string | undefined): Promise<ReadTask> {
  const isPath = given.includes('/') || (await isFolder(resolve(cwd, given)));
  const folder = isPath ? given : join('tasks', given);
  const tasks = await readTasks(cwd, [folder], skills);
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1) return only;
  const message = `this folder holds ${tasks.length} tasks`;
  const where = { file: folder };
  throw new InputError([{ severity: 'error', message, where, repair: 'name one of them' }]);
}

/** `tasks/` and `skills/` stand side by side in a project. */
async function libraryBeside(taskDir: string): Promise<string> {
  const beside = join(taskDir, '..', '..', 'skills');
  return (await isFolder(beside)) ? beside : join(HOME, 'skills');
}
