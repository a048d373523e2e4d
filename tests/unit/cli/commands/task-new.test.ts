import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { taskNewCommand } from '../../../../src/cli/commands/task-new.ts';
import type { Environment } from '../../../../src/cli/environment.ts';
import { plainText } from '../../../../src/report/plain-text.ts';
import { program } from '../../../support/run-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const DOMAIN = ['--domain', 'office-and-white-collar', '--capability', 'meter-reading'];

async function taskFile(dir: string, id: string): Promise<unknown> {
  return parse(await readFile(join(dir, 'tasks', id, 'task.yaml'), 'utf8'));
}

/** Types the answers one after another, each when it is asked for. */
async function asked(cwd: string, answers: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...answers];
  const said = { text: '' };
  output.on('data', (chunk: Buffer) => {
    said.text += chunk.toString();
    if (!/: $/.test(plainText(said.text))) return;
    const answer = left.shift();
    if (answer === undefined) input.end();
    else input.write(`${answer}\r`);
  });
  const nothing = () => () => undefined;
  const silent = { stream: new PassThrough(), isTty: false, columns: 80 };
  const size = () => ({ columns: 80, rows: 24 });
  const environment: Environment = {
    cwd,
    env: {},
    stdin: { stream: input, terminal: { setRaw: () => undefined, size, onResize: nothing } },
    stdout: silent,
    stderr: { ...silent, stream: output },
    now: () => new Date(0),
    onSignal: nothing,
  };
  const command = taskNewCommand(environment, ['asked'], { dir: 'tasks' });
  return { command, said };
}

test('a new task passes the lint level without a finding', async () => {
  await using folder = await temporaryFolder();
  const made = await program(['task', 'new', 'meter-bills', ...DOMAIN], folder.path);
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const checked = await program(['task', 'check', 'tasks', '--strict'], folder.path);
  expect(checked).toEqual({ exitCode: 0, stdout: '', stderr: '1 task checked: no findings\n' });
});

test('a new task has its solution, an almost right one, and runs both', async () => {
  await using folder = await temporaryFolder();
  await program(['task', 'new', 'meter-bills', ...DOMAIN], folder.path);
  const dir = join(folder.path, 'tasks', 'meter-bills');
  for (const part of ['solution', 'almost-right'])
    expect((await stat(join(dir, part, 'solve.sh'))).mode & 0o111).toBe(0o111);
  expect(await readdir(join(folder.path, 'tasks'))).toEqual(['meter-bills']);
});

test('flags stand in the files as they were typed, whatever YAML would make of them', async () => {
  await using folder = await temporaryFolder();
  const flags = ['--title', 'no', '--capability', 'a: b # c', '--difficulty', 'extreme', '--skill', 'on'];
  const { exitCode } = await program(['task', 'new', 'one', ...DOMAIN, ...flags], folder.path);
  expect(exitCode).toBe(0);
  expect(await taskFile(folder.path, 'one')).toMatchObject({
    title: 'no',
    domain: 'office-and-white-collar',
    capability: 'a: b # c',
    difficulty: 'extreme',
    skills: ['on'],
  });
  const skill = await readFile(join(folder.path, 'tasks/one/skills/on/SKILL.md'), 'utf8');
  expect(skill).toContain('name: "on"\n');
});

test('without a terminal, what is needed is named by its flag and nothing is written', async () => {
  await using folder = await temporaryFolder();
  const { exitCode, stderr } = await program(['task', 'new', 'meter-bills'], folder.path);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('add --domain, one of natural-science');
  expect(stderr).toContain('add --capability, a word, such as');
  expect(await readdir(folder.path)).toEqual([]);
});

test.each([
  [['two words', ...DOMAIN], 'is no task id'],
  [['../out', ...DOMAIN], 'is no task id'],
  [['one', '--domain', 'games'], '--domain "games" does not fit'],
  [['one', ...DOMAIN, '--skill', 'Not A Name'], '--skill "Not A Name" does not fit'],
  [['one', ...DOMAIN, '--title', 'two\nlines'], '--title "two\\nlines" does not fit'],
])('refuses %j', async (args, said) => {
  await using folder = await temporaryFolder();
  const { exitCode, stderr } = await program(['task', 'new', ...args], folder.path);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(said);
  expect(await readdir(folder.path)).toEqual([]);
});

test('refuses an existing folder and leaves it alone', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'mine', 'one'), { recursive: true });
  const argv = ['task', 'new', 'one', '--dir', 'mine', ...DOMAIN];
  const { exitCode, stderr } = await program(argv, folder.path);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('mine/one error: there is something of this name already');
  expect(await readdir(join(folder.path, 'mine', 'one'))).toEqual([]);
});

test('leaves nothing where the folder cannot be written', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'tasks'), 'a file');
  const { exitCode } = await program(['task', 'new', 'one', ...DOMAIN], folder.path);
  expect(exitCode).not.toBe(0);
  expect(await readdir(folder.path)).toEqual(['tasks']);
});

test('asks at a terminal, again where an answer does not do, and takes what is usual for an empty one', async () => {
  await using folder = await temporaryFolder();
  const { command, said } = await asked(folder.path, [
    '',
    'games',
    'natural-science',
    '',
    'hydrology',
    '',
    'rivers',
  ]);
  expect(await command).toBe(0);
  expect(said.text).toContain('write a number from 1 to 8, or a name from the list');
  expect(await taskFile(folder.path, 'asked')).toMatchObject({
    title: 'Asked',
    domain: 'natural-science',
    capability: 'hydrology',
    difficulty: 'core',
    skills: ['rivers'],
  });
});

test('takes a choice by its number, shows the choices once and in lines that fit a terminal', async () => {
  await using folder = await temporaryFolder();
  const answers = ['A title', '9', 'natural-scence', '0', '7', 'rates', '2', 'growth'];
  const { command, said } = await asked(folder.path, answers);
  expect(await command).toBe(0);
  const text = plainText(said.text);
  expect(text).toContain('did you mean "natural-science"?');
  expect(text.split('natural-science').length - 1).toBe(2);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(80);
  expect(await taskFile(folder.path, 'asked')).toMatchObject({
    // The seventh and the second of the lists that were shown.
    domain: 'finance-and-economics',
    difficulty: 'extended',
  });
});

test('writes nothing when whoever is asked goes away', async () => {
  await using folder = await temporaryFolder();
  const { command } = await asked(folder.path, ['A title']);
  await expect(command).rejects.toThrow('the questions were not answered to the end');
  expect(await readdir(folder.path)).toEqual([]);
});
