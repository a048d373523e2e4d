import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { digestValue } from '../base/digest.ts';
import { fileDigest } from '../base/file-digest.ts';
import { TaskId } from '../model/ids.ts';
import type { Place, Problem } from '../model/problem.ts';
import type { BundleEntry } from '../model/skill.ts';
import type { Task } from '../model/task.ts';
import { bundleDigest, folderDigest } from './digest.ts';
import type { DigestOf } from './file-contents.ts';
import { isFile, isFolder, readText } from './read-text.ts';

/** Folder of the solution that is wrong in one point. */
export const ALMOST_RIGHT = 'almost-right';

/** What both formats look for beside the task file. */
export interface TaskFolder {
  readonly dir: string;
  /** What the task file says of Dockerfile and tests; undefined when it could not be read, and these are not looked for. */
  readonly declared: { readonly verifier: 'pytest' | 'script'; readonly dockerfile: string } | undefined;
  /** Where the Dockerfile was named, if it was. */
  readonly dockerfilePlace: Place | undefined;
  readonly needsSolution: boolean;
}

/** The instruction's text (empty when it cannot be used), and what is missing from the folder. */
export async function readTaskFolder(
  folder: TaskFolder,
): Promise<{ readonly instruction: string; readonly problems: Problem[] }> {
  const instruction = await readText(join(folder.dir, 'instruction.md'));
  const problems: Problem[] = [];
  if (!instruction.ok) problems.push(instruction.error);
  else if (instruction.value.trim() === '') {
    const where = { file: join(folder.dir, 'instruction.md') };
    problems.push({
      severity: 'error',
      message: 'the instruction is empty',
      where,
      repair: 'write what the agent shall do',
    });
  }
  problems.push(...(await missingFiles(folder)));
  return { instruction: instruction.ok ? instruction.value : '', problems };
}

async function missingFiles(folder: TaskFolder): Promise<Problem[]> {
  const { dir, declared } = folder;
  const problems: Problem[] = [];
  if (declared !== undefined) {
    problems.push(...(await missingDockerfile(folder, declared.dockerfile)));
    problems.push(...(await missingTests(dir, declared.verifier)));
  }
  const solve = join(dir, 'solution', 'solve.sh');
  if (folder.needsSolution && !(await isFile(solve))) {
    const message = 'a configuration uses the oracle harness, and the task has no solution/solve.sh';
    const repair = 'write it, or leave the task out';
    problems.push({ severity: 'error', message, where: { file: solve }, repair });
  }
  const almost = join(dir, ALMOST_RIGHT);
  if ((await isFolder(almost)) && !(await isFile(join(almost, 'solve.sh')))) {
    const message = `${ALMOST_RIGHT}/ holds a solution that is wrong in one point, and it has no solve.sh`;
    const repair = 'write it, or remove the folder';
    problems.push({ severity: 'error', message, where: { file: almost }, repair });
  }
  return problems;
}

async function missingDockerfile(folder: TaskFolder, dockerfile: string): Promise<Problem[]> {
  const file = join(folder.dir, 'environment', dockerfile);
  if (await isFile(file)) return [];
  const named = folder.dockerfilePlace === undefined ? '' : `: there is no environment/${dockerfile}`;
  return [
    {
      severity: 'error',
      message: `the task has no Dockerfile${named}`,
      where: folder.dockerfilePlace ?? { file },
      repair: 'write it, beginning with "FROM skillpair/base:1"',
    },
  ];
}

async function missingTests(dir: string, verifier: 'pytest' | 'script'): Promise<Problem[]> {
  const tests = join(dir, 'tests');
  if (verifier === 'script') {
    const where = { file: join(tests, 'test.sh') };
    if (await isFile(where.file)) return [];
    return [
      {
        severity: 'error',
        message: 'the task has no tests/test.sh',
        where,
        repair: 'write the verifier there',
      },
    ];
  }
  const files = await readdir(tests, { recursive: true }).catch((): string[] => []);
  if (files.some((file) => /^test_.*\.py$|_test\.py$/.test(basename(file)))) return [];
  const message = 'the task has no tests: tests/ holds no test_*.py';
  return [{ severity: 'error', message, where: { file: tests }, repair: 'write tests/test_outputs.py' }];
}

/** True where a folder's name and instruction are enough to say what the task is, whatever else forbids to run it. */
export function isReadable(name: string, instruction: string): boolean {
  return TaskId.safeParse(name).success && instruction !== '';
}

/** The solutions that a task brings along, each run with the same variables. */
export async function solutionsIn(
  dir: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<Task, 'solution' | 'almostRight'>> {
  const [solution, almostRight] = await Promise.all(
    ['solution', ALMOST_RIGHT].map(async (name) =>
      (await isFolder(join(dir, name))) ? { dir: join(dir, name), env: { ...env } } : undefined,
    ),
  );
  return {
    ...(solution === undefined ? {} : { solution }),
    ...(almostRight === undefined ? {} : { almostRight }),
  };
}

/** The task id nearest to a name; undefined where nothing is left of it. */
export function taskIdFrom(name: string): string | undefined {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-_.]+|[-.]+$/g, '')
    .slice(0, 60);
  return id === '' ? undefined : id;
}

/** Proves a folder's name to be a task id. */
export function checkTaskName(name: string, dir: string): Problem[] {
  const id = TaskId.safeParse(name);
  if (id.success) return [];
  const proposal = taskIdFrom(name) ?? '';
  const shownName = name.length > 60 ? `${name.slice(0, 57)}…` : name;
  const said = id.error.issues.map(({ message }) => message.replace(/: rename the folder$/, ''));
  return [
    {
      severity: 'error',
      message: `"${shownName}" (${name.length} characters) is no task id: ${said.join('; ')}`,
      where: { file: dir },
      repair: `rename the folder${proposal === '' ? '' : `, to "${proposal}" say`}`,
    },
  ];
}

/**
 * Content address of all that a task's trials depend on: instruction, task file, environment without `skillsPath`,
 * tests, solution, and the loose files that travel with the Skills. Skills have their own digests; notes and READMEs
 * beside these do not count.
 */
export async function taskDigest(task: {
  readonly dir: string;
  readonly taskFile: string;
  readonly skillsPath: string | undefined;
  readonly loose: readonly BundleEntry[];
  readonly digestOf?: DigestOf;
}): Promise<string> {
  const { dir, taskFile, skillsPath, digestOf = fileDigest } = task;
  const exclude = skillsPath === undefined ? [] : [skillsPath];
  return digestValue({
    instruction: await fileDigest(join(dir, 'instruction.md')),
    taskFile: [taskFile, await fileDigest(join(dir, taskFile))],
    environment: await folderDigest(join(dir, 'environment'), { exclude, digestOf }),
    tests: await folderDigest(join(dir, 'tests'), { digestOf }),
    solution: await folderDigest(join(dir, 'solution'), { digestOf }),
    loose: bundleDigest(task.loose),
  });
}
