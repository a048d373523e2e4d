import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SCAFFOLD_WORDS } from '../../../../src/lint/task/scaffold-left.ts';
import { said, type TaskFiles } from './linted-task.ts';

const TEMPLATE = new URL('../../../../templates/task', import.meta.url).pathname;

/** The files that `task new` writes, with a Skill named as there. */
async function example(): Promise<TaskFiles> {
  const entries = await readdir(TEMPLATE, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async (path) => {
      const name = path.slice(TEMPLATE.length + 1).replace('skills/SKILL/', 'skills/averages/');
      return [name, await readFile(path, 'utf8')] as const;
    }),
  );
  return Object.fromEntries(files);
}

const left = (files: TaskFiles) => said(files).filter((line) => line.startsWith('scaffold-left'));

it('says nothing of the example as it was made', async () => {
  expect(left(await example())).toEqual([]);
});

it.each(Object.entries(SCAFFOLD_WORDS))(
  'notes every other part once one is replaced: %s',
  async (part, words) => {
    const files = Object.entries(await example());
    const own = files.map(([path, text]) => [path, text.replace(words, 'Wind speeds.')] as const);
    expect(
      files.filter(([, text]) => text.includes(words)),
      part,
    ).toHaveLength(1);
    expect(left(Object.fromEntries(own))).toHaveLength(5);
  },
);

it("names the Skill that was left in somebody's own task", async () => {
  const { 'skills/averages/SKILL.md': skill = '' } = await example();
  expect(left({ 'skills/averages/SKILL.md': skill })).toEqual([
    expect.stringContaining('skills/averages/SKILL.md: note: this is still the example of "task new"'),
  ]);
});
