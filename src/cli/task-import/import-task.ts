import { lstat, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { SelectedTask } from '../../load/find-tasks.ts';
import { isFolder } from '../../load/read-text.ts';
import { skillNamesOfTask } from '../../load/skill-users.ts';
import { checkTaskName, taskIdFrom } from '../../load/task-folder.ts';
import { listTaskParts, type TaskEntry } from '../../load/task-parts.ts';
import type { ImportedFile, ImportSource } from '../../model/import-manifest.ts';
import { hasErrors, type Problem } from '../../model/problem.ts';
import { copyTask, pointersIn } from './copy-task.ts';
import type { OpenSource } from './open-source.ts';

/** What became of one task. */
export interface TaskImport {
  readonly name: string;
  readonly outcome: 'imported' | 'would-import' | 'refused' | 'already-there';
  /** Where the task can be looked at: its new place, or, where nothing was copied, its source. */
  readonly dir: string;
  readonly files: number;
  readonly bytes: number;
  /** Paths in its folder that are no part of it. */
  readonly leftOut: readonly string[];
  /** Files that came in without their content. */
  readonly absent: readonly ImportedFile[];
  readonly problems: readonly Problem[];
}

/** How all tasks of one command are imported. */
export interface ImportPlan {
  readonly source: OpenSource;
  /** Absolute. */
  readonly into: string;
  /** The source as people named it, for manifests of tasks from folders. */
  readonly shownSource: string;
  readonly isWhole: boolean;
  readonly isReplacing: boolean;
  readonly isDry: boolean;
  readonly now: () => Date;
}

/** Imports one task whole or not at all. Rejects only for a file system that refuses. */
export async function importTask(task: SelectedTask, plan: ImportPlan): Promise<TaskImport> {
  const { name, renamed } = nameOf(task);
  const to = join(plan.into, name);
  const seen = await lookAt(task, plan);
  const { entries, leftOut, problems, absent } = seen;
  const files = entries.filter(({ kind }) => kind === 'file');
  const told = {
    name,
    dir: task.dir,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    leftOut,
    absent,
    problems: [...renamed, ...problems],
  };
  if (hasErrors(told.problems)) return { ...told, outcome: 'refused' };
  const obstacle = await inTheWay(task.dir, to, plan);
  if (obstacle !== undefined) return { ...told, outcome: 'already-there', problems: [obstacle] };
  if (plan.isDry)
    return { ...told, outcome: 'would-import', absent: [...absent, ...(await pointersIn(entries))] };
  const importedAt = plan.now().toISOString();
  const manifest = { schemaVersion: 1 as const, importedAt, source: sourceOf(task, plan) };
  const written = await copyTask({ entries, to, absent, manifest });
  const without = written.files.filter((file) => file.absent !== undefined);
  return { ...told, dir: to, outcome: 'imported', absent: without };
}

/** A folder whose name is no task id gets the nearest one. */
function nameOf({ name, dir }: SelectedTask): {
  readonly name: string;
  readonly renamed: readonly Problem[];
} {
  const problems = checkTaskName(name, dir);
  const id = taskIdFrom(name);
  if (problems.length === 0 || id === undefined) return { name, renamed: problems };
  const message = `"${name}" is no task id: the task is called "${id}" here`;
  return { name: id, renamed: [{ severity: 'note', message, where: { file: dir } }] };
}

async function lookAt({ dir }: SelectedTask, plan: ImportPlan) {
  const bad = await outside(dir, plan.source.root);
  if (bad.length > 0) return { entries: [], leftOut: [], absent: [], problems: bad };
  const parts = await listTaskParts(dir, plan.isWhole ? 'all' : new Set());
  const shared = await sharedSkills(dir);
  const entries = [...parts.entries, ...shared.flatMap((each) => each.entries)];
  const without = filesWithout(dir, plan.source);
  const problems = [...parts.problems, ...shared.flatMap((each) => each.problems), ...without.problems];
  return { entries, leftOut: parts.leftOut, absent: without.files, problems };
}

/** A task's folder may itself be a link: one that leads out of the source is not followed. */
async function outside(dir: string, root: string): Promise<Problem[]> {
  const way = relative(await realpath(root), await realpath(dir));
  if (way !== '..' && !way.startsWith(`..${sep}`)) return [];
  const message = 'the folder is a link that leads out of the source';
  return [{ severity: 'error', message, where: { file: dir }, repair: 'name the folder that it leads to' }];
}

/** Skills of a library that the task names travel with it: its new place may have no such library. */
async function sharedSkills(dir: string) {
  const library = join(dir, '..', '..', 'skills');
  const found: { entries: TaskEntry[]; problems: readonly Problem[] }[] = [];
  for (const name of await skillNamesOfTask(dir)) {
    const own = join(library, name);
    if (!(await isFolder(own))) continue;
    const { entries, problems } = await listTaskParts(own, 'all');
    const inTask = (path: string) => `skills/${name}${path === '' ? '' : `/${path}`}`;
    const folders = ['skills', inTask('')].map(
      (path): TaskEntry => ({ path, hostPath: own, kind: 'folder', isExecutable: false, size: 0 }),
    );
    found.push({
      entries: [...folders, ...entries.map((entry) => ({ ...entry, path: inTask(entry.path) }))],
      problems,
    });
  }
  return found;
}

/** Files of a task that the repository has no content for, and submodules, which nobody asked for. */
function filesWithout(dir: string, { root, absent }: OpenSource) {
  const prefix = `${relative(root, dir)}/`.replace(/^\//, '');
  const inTask = [...absent.values()].filter(({ path }) => path.startsWith(prefix));
  const problems = inTask
    .filter(({ kind }) => kind === 'submodule')
    .map(({ path }): Problem => {
      const message = 'a submodule: what is in it is not brought along';
      const repair = 'put its files there, if the task needs them';
      return { severity: 'warning', message, where: { file: join(root, path) }, repair };
    });
  const files = inTask
    .filter(({ kind }) => kind !== 'submodule')
    .map(
      ({ path, object, kind }): ImportedFile => ({
        path: path.slice(prefix.length),
        kind: 'file',
        ...(kind === 'executable' ? { executable: true } : {}),
        absent: 'git-object',
        object,
      }),
    );
  return { files, problems };
}

async function inTheWay(from: string, to: string, { isReplacing }: ImportPlan): Promise<Problem | undefined> {
  const found = await lstat(to).catch(() => undefined);
  if (found === undefined) return undefined;
  const where = { file: to };
  const isItself = (await realpath(to).catch(() => to)) === (await realpath(from));
  if (isItself) return { severity: 'error', message: 'this is the folder to import from', where };
  if (isReplacing) return undefined;
  const message = 'there is something of this name already';
  return { severity: 'error', message, where, repair: 'replace it with --replace, or take another --into' };
}

function sourceOf({ dir }: SelectedTask, { source, shownSource }: ImportPlan): ImportSource {
  const way = relative(source.root, dir);
  if (source.git === undefined)
    return { kind: 'folder', path: way === '' ? shownSource : join(shownSource, way) };
  return { kind: 'git', ...source.git, folder: way };
}
