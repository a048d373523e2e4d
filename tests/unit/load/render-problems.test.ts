import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderProblems } from '../../../src/load/render-problems.ts';
import { scratchFolder } from './support/scratch-project.ts';

it('prints place, message, line with caret and repair, errors first', async () => {
  await using files = await scratchFolder({ 'a.yaml': 'name: x\n\tsize: 3\n' });
  const text = renderProblems(
    [
      { severity: 'note', message: 'by the way' },
      { severity: 'warning', message: 'doubtful', where: { file: 'a.yaml', line: 1 } },
      {
        severity: 'error',
        message: 'wrong',
        where: { file: join(files.dir, 'a.yaml'), line: 2, column: 8 },
        repair: 'mend it',
      },
    ],
    files.dir,
  );
  expect(text).toBe(`a.yaml:2:8 error: wrong
  |  size: 3
  |        ^
  repair: mend it
a.yaml:1 warning: doubtful
  | name: x
note: by the way
`);
});

it('names a file outside the root, or one that is gone, and goes on', async () => {
  await using files = await scratchFolder();
  const text = renderProblems(
    [
      { severity: 'error', message: 'm', where: { file: '/elsewhere/b.yaml', line: 1, column: 1 } },
      { severity: 'error', message: 'n', where: { file: 'gone.yaml', line: 9, column: 2 } },
    ],
    files.dir,
  );
  expect(text).toBe('/elsewhere/b.yaml:1:1 error: m\ngone.yaml:9:2 error: n\n');
});

it('cuts a long line round the caret', async () => {
  await using files = await scratchFolder({ 'long.yaml': `${'a'.repeat(500)}X${'b'.repeat(500)}` });
  const text = renderProblems(
    [{ severity: 'error', message: 'm', where: { file: 'long.yaml', line: 1, column: 501 } }],
    files.dir,
  );
  const [, source = '', caret = ''] = text.split('\n');
  expect(source.length).toBeLessThan(120);
  expect(source[caret.indexOf('^')]).toBe('X');
});

it('lets no control character of a file reach the terminal', async () => {
  await using files = await scratchFolder({ 'bad.yaml': 'a: \u001b[31mred\n' });
  const where = { file: 'bad.yaml', line: 1, column: 4 };
  const text = renderProblems([{ severity: 'error', message: 'has \u001b[2J', where }], files.dir);
  expect(text).toBe('bad.yaml:1:4 error: has \uFFFD[2J\n  | a: \uFFFD[31mred\n  |    ^\n');
});
