import { join } from 'node:path';
import type { Place } from '../../model/problem.ts';
import type { ContentFile } from '../../model/task-content.ts';
import { allFiles, fewOf, hiddenFiles, type LintedTask, type Remark, type TaskRule } from './task-rule.ts';

const MEBIBYTE = 1024 ** 2;
const LARGE_CONTEXT = 32 * MEBIBYTE;
const MANY_FILES = 2_000;
/** Bytes; shorter files are alike by chance: markers, empty packages. */
export const LEAST_IDENTICAL = 64;

const ANSWER_NAME =
  /^(?:expected|reference|ground[_-]?truth|golden|oracle|truth|answers?|solutions?)(?:$|[._-])/i;

/** Line ends of Windows in what a shell reads. */
export const carriageReturn: TaskRule = {
  name: 'carriage-return',
  check: (task) =>
    allFiles(task).flatMap((file): Remark[] => {
      const { text } = file;
      const isShell = file.path.endsWith('.sh');
      if (text === undefined || !(isShell ? /\r\n/.test(text) : /^#![^\n]*\r\n/.test(text))) return [];
      const line = text.slice(0, text.indexOf('\r\n')).split('\n').length;
      const what = isShell
        ? 'the shell takes the carriage return as part of the last word'
        : 'the program that the first line names is not found';
      return [
        {
          severity: 'warning',
          message: `the lines end as on Windows: ${what}`,
          where: { file: file.hostPath, line },
          repair: 'save the file with LF line ends',
        },
      ];
    }),
};

/** How large the build context is, where that takes time for every build. */
export const contextSize: TaskRule = {
  name: 'context-size',
  check: ({ context, dir }) => {
    const bytes = context.reduce((sum, { size }) => sum + size, 0);
    if (bytes < LARGE_CONTEXT && context.length < MANY_FILES) return [];
    const largest = context.toSorted((a, b) => b.size - a.size).slice(0, 3);
    const names = largest.map(({ path, size }) => `${path} (${inMebibytes(size)})`);
    return [
      {
        severity: 'note',
        message: `the build context has ${context.length} files and ${inMebibytes(bytes)}; the largest: ${fewOf(names)}`,
        where: { file: join(dir, 'environment') },
        repair: 'leave out what no COPY names, with a .dockerignore say',
      },
    ];
  },
};

function inMebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}

/** What git keeps of the past may hold the answer. */
export const gitHistory: TaskRule = {
  name: 'git-history',
  check: ({ repositories, context, dir }) => {
    const message =
      'a history of git travels with the task: an agent may read the answer, or names, out of it';
    const repair = 'leave it out, unless the history is what the task is about';
    const leftOvers = context.filter(({ path }) =>
      /(?:^|\/)(?:ORIG_HEAD|FETCH_HEAD|pack-[0-9a-f]{40}\.pack|[^/]+\.bundle)$/.test(path),
    );
    const files = [
      ...repositories.map((path) => join(dir, path)),
      ...leftOvers.map(({ hostPath }) => hostPath),
    ];
    return files.slice(0, 1).map((file) => ({ severity: 'warning', message, where: { file }, repair }));
  },
};

/** Answers that both arms find in the image: files that tests or solution keep too, and what the tests compare with. */
export const answerInContext: TaskRule = {
  name: 'answer-in-context',
  check: (task) => [...identicalFiles(task), ...comparedFiles(task)],
};

function identicalFiles(task: LintedTask): Remark[] {
  const given = byDigest(task.context);
  const same = hiddenFiles(task).filter(
    ({ size, digest = '', path }) =>
      size >= LEAST_IDENTICAL && given.has(digest) && !/(?:^|\/)(?:LICEN[CS]E|__init__\.py)/i.test(path),
  );
  const [first] = same;
  if (first === undefined) return [];
  const pairs = same.map(({ path, digest = '' }) => `${path} (${given.get(digest)?.path ?? ''})`);
  return [
    {
      severity: 'warning',
      message: `the build context holds, byte for byte, ${fewOf(pairs, 3)}: if they are answers, every agent can find them`,
      where: { file: first.hostPath },
      repair:
        'keep answers out of the build context; input may lie there, and the tests may read it in the image',
    },
  ];
}

/** Folders and files of the context that are called answers, or become so where COPY puts them, and that the tests name by that. */
function comparedFiles(task: LintedTask): Remark[] {
  const { tests, instruction, context } = task;
  const told = tests.map(({ text = '' }) => text).join('\n');
  const names = new Map<string, Place>();
  for (const file of context)
    for (const part of file.path.split('/').slice(1))
      if (isAnswerName(part) && !names.has(part)) names.set(part, { file: file.hostPath });
  for (const { name, where } of copiedNames(task))
    if (isAnswerName(name) && !names.has(name)) names.set(name, where);
  // What the instruction names, the agent is meant to see: a skeleton to fill in, or an example.
  const compared = [...names].filter(([name]) => told.includes(`/${name}`) && !instruction.includes(name));
  const [first] = compared;
  if (first === undefined) return [];
  return [
    {
      severity: 'warning',
      message: `the tests read ${fewOf(compared.map(([name]) => name))}, which the build context brings into the image: every agent can find it`,
      where: first[1],
      repair: 'keep what the result is compared with in tests/',
    },
  ];
}

/** What COPY and ADD call things in the image, other than their source is called. */
function copiedNames({ dockerfile }: LintedTask): { readonly name: string; readonly where: Place }[] {
  const steps = dockerfile?.stages.at(-1)?.instructions ?? [];
  return steps
    .filter(
      ({ keyword, flags }) => /^(?:COPY|ADD)$/.test(keyword) && flags.every(({ name }) => name !== 'from'),
    )
    .flatMap(({ argumentText, line }) => {
      const target = wordsOf(argumentText).at(-1) ?? '';
      const where = { file: dockerfile?.file ?? '', line };
      return target
        .split('/')
        .filter((name) => name !== '')
        .map((name) => ({ name, where }));
    });
}

/** Both forms: words, and a list of JSON. */
function wordsOf(argumentText: string): string[] {
  return argumentText
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(/[\s,]+/)
    .map((word) => word.replace(/^"|"$/g, ''))
    .filter((word) => word !== '');
}

/** Behind another word too: `sales_expected.csv`. Inside folders of data that would be anybody's `reference`. */
function isAnswerName(name: string): boolean {
  return (
    ANSWER_NAME.test(name) || /[._-](?:expected|ground[_-]?truth|golden|answers?)(?:$|[._-])/i.test(name)
  );
}

/** Files by content. */
export function byDigest(files: readonly ContentFile[]): ReadonlyMap<string, ContentFile> {
  return new Map(files.flatMap((file) => (file.digest === undefined ? [] : [[file.digest, file] as const])));
}
