import { posix } from 'node:path';
import type { RunLock } from '../model/run-lock.ts';

/** Whether a path with `/` between its parts stays below the folder it is relative to. */
export function isBelow(path: string): boolean {
  return path !== '' && !/^(?:[/\\]|[A-Za-z]:)/.test(path) && !path.split('/').includes('..');
}

/**
 * The experiment file relative to the project, as readers of JUnit want it. The lock has it absolute; where the lock's
 * task files tell the project's folder it is taken off, else the file is named in the folder such files stand in.
 */
export function experimentFile(lock: RunLock): string {
  const path = lock.experimentPath.replaceAll('\\', '/');
  if (isBelow(path)) return path;
  const inside = projectFolders(lock, path)
    .map((folder) => posix.relative(folder, path))
    .find(isBelow);
  return inside ?? `experiments/${posix.basename(path)}`;
}

/** A task's file relative to the project; one that lies elsewhere is named in the folder where tasks stand. */
export function taskFile(task: string, file: string | undefined): string {
  if (file !== undefined && isBelow(file)) return file;
  return `tasks/${task}/${posix.basename(file?.replaceAll('\\', '/') ?? 'task.yaml')}`;
}

/** A task folder, absolute, whose end is also in a task's file, relative: what is before that end is the project. */
function projectFolders({ experiment, tasks }: RunLock, experimentPath: string): string[] {
  const ends = new Set(
    tasks.filter(({ file }) => isBelow(file)).map(({ file }) => posix.dirname(posix.dirname(file))),
  );
  return experiment.tasks.folders
    .map((folder) => posix.resolve(posix.dirname(experimentPath), folder))
    .flatMap((folder) =>
      [...ends].filter((end) => folder.endsWith(`/${end}`)).map((end) => folder.slice(0, -end.length - 1)),
    );
}
