import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseMarkdownHead } from '../../../src/load/markdown-head.ts';
import { pageBlocks, pageFiles, writePageFiles } from '../../support/page-files.ts';
import { page, ROOT } from '../../support/pages.ts';
import { program } from '../../support/run-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A folder like a checkout, with harnesses and verifiers and nothing else but the files of these pages. */
async function written(...paths: readonly string[]) {
  const folder = await temporaryFolder();
  await cp(join(ROOT, 'harnesses'), join(folder.path, 'harnesses'), { recursive: true });
  await symlink(join(ROOT, 'verifiers'), join(folder.path, 'verifiers'));
  for (const path of paths) await writePageFiles(folder.path, pageFiles(page(path).text));
  return folder;
}

test("the README's own experiment loads without a word", async () => {
  await using folder = await written('README.md');
  expect(await program(['check', 'mine/experiment.yaml'], folder.path)).toEqual({
    exitCode: 0,
    stdout: 'ok: 1 task, 3 configurations\n',
    stderr: '',
  });
});

test('the task of "Writing a task" loads without a word, Skill and all', async () => {
  await using folder = await written('docs/writing-a-task.md');
  expect(await program(['check', 'experiments/invoices.yaml'], folder.path)).toEqual({
    exitCode: 0,
    stdout: 'ok: 1 task, 3 configurations\n',
    stderr: '',
  });
});

test('the task of "Writing a task", as written there, has nothing that a check finds, almost-right solution and all', async () => {
  await using folder = await written('docs/writing-a-task.md');
  const files = pageFiles(page('docs/writing-a-task.md').text).map(({ path }) => path);
  expect(files.filter((path) => path.startsWith('tasks/invoice-due-dates/'))).toHaveLength(9);
  const argv = ['task', 'check', 'tasks/invoice-due-dates', '--strict'];
  expect(await program(argv, folder.path)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '1 task checked: no findings\n',
  });
  const skill = await program(['skill', 'check', 'skills/payment-terms', '--strict'], folder.path);
  expect(skill.exitCode).toBe(0);
});

test('the harness of "Writing a harness" loads beside the built-in ones', async () => {
  await using folder = await written('README.md', 'docs/writing-a-harness.md');
  expect(await program(['check', 'mine/first-block.yaml'], folder.path)).toEqual({
    exitCode: 0,
    stdout: 'ok: 1 task, 1 configuration\n',
    stderr: '',
  });
});

test('the experiment of "Writing an experiment" loads without an error', async () => {
  await using folder = await written('docs/writing-an-experiment.md');
  for (const name of ['tasks', 'skills']) await symlink(join(ROOT, name), join(folder.path, name));
  const { exitCode, stdout } = await program(['check', 'experiments/nightly.yaml'], folder.path);
  expect([exitCode, stdout]).toEqual([0, 'ok: 3 tasks, 1 configuration\n']);
});

test('the Skill of "Writing a Skill" has a head that is read without a word', () => {
  const [text = ''] = pageBlocks(page('docs/writing-a-skill.md').text, ['text']).filter((block) =>
    block.startsWith('---'),
  );
  const head = parseMarkdownHead({ text, path: 'SKILL.md', folder: 'calendar-weeks' });
  expect(head.ok && head.value.problems).toEqual([]);
});

test('a folder in the place of an experiment file is told with the files that may be meant', async () => {
  await using folder = await written('README.md');
  const named = await program(['check', 'mine'], folder.path);
  expect([named.exitCode, named.stdout]).toEqual([2, '']);
  expect(named.stderr).toContain('this is a folder; an experiment is a YAML file\n');
  expect(named.stderr).toContain('  repair: name the experiment file, such as mine/experiment.yaml\n');
  const empty = await program(['check', 'mine/skills'], folder.path);
  expect(empty.stderr).toContain(
    '  repair: write an experiment, such as mine/skills/experiment.yaml, and name that file\n',
  );
});

test('the README says how many files its experiment has', () => {
  expect(pageFiles(page('README.md').text)).toHaveLength(8);
});
