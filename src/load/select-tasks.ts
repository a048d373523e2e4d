import { matchesGlob, resolve } from 'node:path';
import type { Experiment } from '../model/experiment.ts';
import type { Problem } from '../model/problem.ts';
import { didYouMean } from './did-you-mean.ts';
import { listFolder, type SelectedTask } from './find-tasks.ts';
import type { LocatedFile } from './located-file.ts';

/** The folders that an experiment's `tasks` choose, in order of name. */
export async function selectTasks(
  file: LocatedFile<Experiment>,
  experimentDir: string,
): Promise<{ readonly tasks: readonly SelectedTask[]; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const found: SelectedTask[] = [];
  for (const [index, folder] of file.value.tasks.folders.entries()) {
    const dir = resolve(experimentDir, folder);
    const listed = await listFolder(dir);
    if (listed === undefined) {
      const where = file.locate(['tasks', 'folders', index]);
      problems.push({
        severity: 'error',
        message: `there is no folder ${dir}`,
        where,
        repair: 'correct tasks.folders',
      });
      continue;
    }
    found.push(...listed.tasks);
    problems.push(...listed.problems);
  }
  found.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  const { include, exclude } = file.value.tasks;
  const matches = (name: string, patterns: readonly string[]) =>
    patterns.some((glob) => matchesGlob(name, glob));
  const tasks = found.filter(({ name }) => matches(name, include) && !matches(name, exclude));
  if (!problems.some(({ severity }) => severity === 'error'))
    problems.push(...checkPatterns(file, found, tasks));
  return { tasks, problems: [...problems, ...checkTwins(tasks)] };
}

/** No task at all is an error; a pattern that chooses none beside others that do is likely a slip. */
function checkPatterns(
  file: LocatedFile<Experiment>,
  found: readonly SelectedTask[],
  selected: readonly SelectedTask[],
): Problem[] {
  const names = found.map(({ name }) => name);
  if (selected.length === 0) {
    const where = file.locate(['tasks', names.length === 0 ? 'folders' : 'include'], 'key');
    const message =
      names.length === 0 ? 'there are no tasks in the folders of tasks.folders' : 'no task is selected';
    return [{ severity: 'error', message, where, repair: noneRepair(file.value, names) }];
  }
  return file.value.tasks.include.flatMap((glob, index): Problem[] =>
    names.some((name) => matchesGlob(name, glob))
      ? []
      : [
          {
            severity: 'warning',
            message: `no task is called "${glob}"`,
            where: file.locate(['tasks', 'include', index]),
            repair: didYouMean(glob, names),
          },
        ],
  );
}

function noneRepair(experiment: Experiment, names: readonly string[]): string {
  if (names.length === 0) return 'name a folder that holds task folders';
  const [only = ''] = experiment.tasks.include;
  const near = experiment.tasks.include.length === 1 ? didYouMean(only, names) : '';
  const hint = near.startsWith('did you mean') ? `${near} ` : '';
  const more = names.length > 30 ? ` and ${names.length - 30} more` : '';
  return `${hint}available: ${names.slice(0, 30).join(', ')}${more}`;
}

/** Ids become folder and report names: on many file systems `Demo` and `demo` are one. */
function checkTwins(tasks: readonly SelectedTask[]): Problem[] {
  const seen = new Map<string, SelectedTask>();
  return tasks.flatMap((task): Problem[] => {
    const key = task.name.normalize('NFC').toLowerCase();
    const earlier = seen.get(key);
    seen.set(key, task);
    if (earlier === undefined) return [];
    const message =
      earlier.name === task.name
        ? `the task id "${task.name}" stands twice: also in ${earlier.dir}`
        : `the task ids "${earlier.name}" and "${task.name}" differ only in case`;
    return [
      { severity: 'error', message, where: { file: task.dir }, repair: 'rename one of the two folders' },
    ];
  });
}
