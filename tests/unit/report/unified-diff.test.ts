import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../../src/report/unified-diff.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const diff = (before: string, after: string) =>
  unifiedDiff({ name: 'a', text: before }, { name: 'b', text: after });

describe('a unified diff', () => {
  test('of equal texts is empty', () => {
    expect(diff('x\n', 'x\n')).toBe('');
  });

  test('has three lines round each change', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const changed = lines.with(9, 'nine\n');
    expect(diff(lines.join(''), changed.join(''))).toBe(
      '--- a\n+++ b\n@@ -7,7 +7,7 @@\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12\n',
    );
  });

  test('names what cannot be seen', () => {
    expect(diff('\uFEFFx\r\n', 'x')).toBe(
      '--- a\n+++ b\n@@ -1,1 +1,1 @@\n-<BOM>x<CR>\n+x\n\\ No newline at end of file\n',
    );
  });

  test.each([
    ['a\nb\nc\nd\n', 'a\nc\nx\nd\ne\n'],
    ['', 'a\nb\n'],
    ['a\nb\n', ''],
    [`${'x\n'.repeat(30)}y\n${'z\n'.repeat(30)}`, `w\n${'x\n'.repeat(30)}${'z\n'.repeat(29)}v\n`],
    ['a\nb', 'a\nb\n'],
  ])('is one that git applies: %#', async (before, after) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'a');
    await writeFile(file, before);
    await writeFile(
      join(folder.path, 'p'),
      unifiedDiff({ name: 'a', text: before }, { name: 'a', text: after }),
    );
    execFileSync('git', ['apply', '-p0', '--unsafe-paths', 'p'], { cwd: folder.path, stdio: 'pipe' });
    expect(await readFile(file, 'utf8')).toBe(after);
  });
});
