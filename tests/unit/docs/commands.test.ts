import { beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-code.ts';
import { PAGES, type Page, page, ROOT, tableRows } from '../../support/pages.ts';
import { program } from '../../support/run-program.ts';

const COMMANDS = [
  'check',
  'plan',
  'run',
  'resume',
  'report',
  'compare',
  'import',
  'skill check',
  'skill list',
  'skill show',
  'skill diff',
  'task new',
  'task import',
  'task list',
  'task show',
  'task check',
  'try',
  'verify',
  'harness list',
  'harness check',
  'doctor',
  'clean',
];
/** Words that are followed by a second one. */
const GROUPS = ['task', 'skill', 'harness'];
const help = new Map<string, string>();

beforeAll(async () => {
  help.set('', (await program(['--help'], ROOT)).stdout);
  for (const name of COMMANDS) help.set(name, (await program([...name.split(' '), '--help'], ROOT)).stdout);
});

/** `skillpair …` up to the end of its code: a line of a block, or a span in backticks. */
function commandLines({ text }: Page): string[] {
  const found = text.matchAll(/(?:^|[\s`'"$(])skillpair ([a-z][^`\n]*|--[a-z-]+)/gm);
  return [...found].map(([, line = '']) => line.split(/ {2,}#| #/)[0] ?? '').filter(isCommandLike);
}

/** In prose the name stands before verbs: "skillpair answers". A command is one in code, so its word is followed by nothing prosaic. */
function isCommandLike(line: string): boolean {
  return /^(--|[a-z]+( |$))/.test(line);
}

/** Empty for the program's own flags. */
function commandOf(line: string): string {
  const [name = '', second = ''] = line.split(' ');
  if (name.startsWith('--')) return '';
  return GROUPS.includes(name) ? `${name} ${second}` : name;
}

function inCode({ path, text }: Page): Page {
  const blocks = text.match(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm) ?? [];
  const prose = text.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
  const spans = prose.match(/`[^`\n]+`/g) ?? [];
  return { path, text: [...blocks.filter((block) => !block.includes('FROM ')), ...spans].join('\n') };
}

/** Whole flags only: `--dry` is no flag because `--dry-run` is one. */
function has(helpText: string, flag: string): boolean {
  return flagsOf(helpText).includes(flag);
}

function flagsOf(line: string): string[] {
  return [...line.matchAll(/(?<=^|\s)--[a-z][a-z-]*/g)].map(([flag]) => flag);
}

describe.each(PAGES.map((one) => [one.path, one] as const))('%s', (_path, one) => {
  test('shows only commands and flags that the program has', () => {
    const wrong = commandLines(inCode(one)).filter((line) => {
      const text = help.get(commandOf(line));
      return text === undefined || flagsOf(line).some((flag) => !has(text, flag));
    });
    expect(wrong).toEqual([]);
  });
});

test('the pages for users name flags alone only where a command has them', () => {
  const pages = [
    'README.md',
    'docs/junit.md',
    'docs/machine.md',
    'docs/record-format.md',
    'docs/troubleshooting.md',
  ];
  const all = [...help.values()].join('\n');
  const alone = pages.flatMap((path) => [...page(path).text.matchAll(/`(--[a-z][a-z-]*)[^`]*`/g)]);
  expect(alone.length).toBeGreaterThan(5);
  expect(alone.map(([, flag = '']) => flag).filter((flag) => !has(all, flag))).toEqual([]);
});

test('the README has a row for every command', () => {
  const rows = tableRows(page('README.md'), 'command').map(([command = '']) =>
    commandOf(command.split(' ').slice(1).join(' ')),
  );
  expect(rows.toSorted()).toEqual(COMMANDS.toSorted());
  const listed = help.get('')?.matchAll(/^ {2}([a-z]+) \[options\]/gm) ?? [];
  const single = COMMANDS.filter((name) => !name.includes(' '));
  expect([...listed].map(([, name]) => name).toSorted()).toEqual(single.toSorted());
});

test.each([
  ['README.md', 'exit code'],
  ['docs/troubleshooting.md', 'code'],
])('%s lists every exit code', (path, head) => {
  const codes = tableRows(page(path), head).flatMap(([code = '']) => code.split(/\D+/).map(Number));
  expect(codes).toEqual(Object.values(EXIT));
});
