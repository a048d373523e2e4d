import { join, sep } from 'node:path';
import { inBatches } from '../base/in-batches.ts';
import { readDockerfile } from '../image/read-dockerfile.ts';
import { lintTask } from '../lint/task/task-rules.ts';
import { FileContents } from '../load/file-contents.ts';
import { HARBOR_FILE } from '../load/harbor-task.ts';
import { checkImport } from '../load/import-manifest.ts';
import { NATIVE_FILE } from '../load/native-task.ts';
import { isFile } from '../load/read-text.ts';
import { readTaskContent } from '../load/task-content.ts';
import type { Finding } from '../model/finding.ts';
import type { Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';
import { lookAtTasks } from './look-at-images.ts';
import { type FoundTasks, type ReadTask, TASKS_AT_ONCE } from './read-tasks.ts';

/** Rules of the readers themselves: what they say of a task comes before any other rule. */
export const READING_RULES = ['task-file', 'skill-file', 'dockerfile', 'import-differs'] as const;

/** A task and all that its lint found. */
export interface LintedFolder {
  readonly subject: string;
  readonly dir: string;
  /** The task's own file. */
  readonly file: string;
  /** Absent where an error forbids to run it. */
  readonly task: Task | undefined;
  readonly findings: readonly Finding[];
}

/** Rules whose errors an image or a trial would only repeat. */
const FORESEEN = new Set(['dockerfile', 'python-syntax']);

/** The tasks that an engine may tell more of than their files did. */
export function worthTrying(linted: readonly LintedFolder[]): readonly Task[] {
  return linted.flatMap(({ task, findings }) =>
    task === undefined || findings.some(({ severity, rule }) => severity === 'error' && FORESEEN.has(rule))
      ? []
      : [task],
  );
}

/**
 * Reads tasks and lints them: what the loader says, what would stop the build, and every rule. Asks no engine. A task's texts are let go
 * once it is done.
 */
export async function lintTasks(
  { tasks, read }: FoundTasks,
  project: Project,
): Promise<readonly LintedFolder[]> {
  return inBatches(tasks, TASKS_AT_ONCE, async (task) => {
    const contents = new FileContents();
    return lintOne(await read(task, contents.digestOf), project, contents);
  });
}

async function lintOne(read: ReadTask, project: Project, contents: FileContents): Promise<LintedFolder> {
  const { name: subject, dir, format, loaded } = read;
  const task = loaded.task ?? loaded.refused;
  // A Dockerfile that is not there was told by the loader.
  const isThere = task !== undefined && (await isFile(dockerfileOf(dir, task)));
  const [look] = isThere ? await lookAtTasks(project, [task], undefined) : [];
  const findings = [
    ...loaded.problems.map((problem) => finding(problem, { subject, rule: readingRule(problem, read) })),
    ...(look?.problems ?? []).map((problem) => finding(problem, { subject, rule: 'dockerfile' })),
    ...(await checkImport(dir)).map((problem) => finding(problem, { subject, rule: 'import-differs' })),
    ...lintTask(await lintedTask(read, task, contents)),
  ];
  const file = join(dir, format === 'native' ? NATIVE_FILE : HARBOR_FILE);
  return { subject, dir, file, task: loaded.task, findings: unique(findings) };
}

async function lintedTask(
  { name, dir, format, loaded }: ReadTask,
  task: Task | undefined,
  contents: FileContents,
) {
  const skills = (task?.skills ?? []).map((skill) => ({
    skill,
    body: loaded.skillBodies.get(skill.name) ?? '',
  }));
  const instruction = task?.instruction ?? '';
  const content = await readTaskContent({ subject: name, dir, instruction, skills }, contents);
  const dockerfile = await readDockerfile(dockerfileOf(dir, task));
  return { ...content, format, dockerfile: dockerfile.ok ? dockerfile.value : undefined };
}

function dockerfileOf(dir: string, task: Task | undefined): string {
  return join(dir, 'environment', task?.environment.dockerfile ?? 'Dockerfile');
}

function finding(problem: Problem, of: Pick<Finding, 'subject' | 'rule'>): Finding {
  return { ...problem, ...of };
}

function readingRule({ where }: Problem, { dir, libraryDir }: ReadTask): Finding['rule'] {
  const roots = [libraryDir, join(dir, 'skills'), join(dir, 'environment', 'skills')];
  return roots.some((root) => where?.file.startsWith(root + sep)) ? 'skill-file' : 'task-file';
}

function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
}
