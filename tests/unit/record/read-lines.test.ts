import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLines } from '../../../src/record/read-lines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function linesOf(content: string): Promise<{ lines: string[]; rest: number }> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'lines');
  await writeFile(path, content);
  const lines: string[] = [];
  const rest = await readLines(path, (line) => lines.push(line));
  return { lines, rest };
}

test.each([
  ['', [], 0],
  ['a\n', ['a'], 0],
  ['a\nb', ['a'], 1],
  ['a\n\nb\n', ['a', '', 'b'], 0],
  ['torn \u20ac', [], 8],
])('%j holds the lines %j and %i bytes more', async (content, lines, rest) => {
  expect(await linesOf(content)).toEqual({ lines, rest });
});

test('lines longer than a block, and characters across the border of two blocks, are read whole', async () => {
  const lines = ['x'.repeat(700_000), 'ü'.repeat(300_001), '€'.repeat(99_999), 'end'];
  expect(await linesOf(lines.map((line) => `${line}\n`).join(''))).toEqual({ lines, rest: 0 });
});
