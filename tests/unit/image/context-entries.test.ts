import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContext } from '../../../src/image/context-entries.ts';
import { contextPaths, matchSource } from '../../../src/image/copy-sources.ts';
import { parseDockerfile } from '../../../src/image/dockerfile.ts';
import { missingSources } from '../../../src/image/missing-sources.ts';
import { resolveStages } from '../../../src/image/resolved-steps.ts';
import { sha256, temporaryFolder, writeFiles } from './made-project.ts';

describe('readContext', () => {
  test('keeps modes, links as links, empty folders, and sorts by path', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, {
      'b.txt': 'b\n',
      'a/run.sh*': 'run\n',
      'empty/': '',
      link: '-> ../outside',
    });
    await chmod(join(folder.path, 'b.txt'), 0o640);
    const entries = await readContext(folder.path);
    expect(
      entries.map(({ path, kind, mode, digest, target }) => [path, kind, mode, digest ?? target]),
    ).toEqual([
      ['a', 'folder', 0o755, undefined],
      ['a/run.sh', 'file', 0o755, sha256('run\n')],
      ['b.txt', 'file', 0o640, sha256('b\n')],
      ['empty', 'folder', 0o755, undefined],
      ['link', 'link', 0o777, '../outside'],
    ]);
  });

  test('honours .dockerignore with its exceptions, and minds case', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, {
      '.dockerignore': '# comment\n*.log\nbuild\n!build/keep.txt\n**/secret\n',
      'a.log': '',
      'A.LOG': '',
      'build/drop.txt': '',
      'build/keep.txt': '',
      'deep/er/secret': '',
      'deep/er/open': '',
    });
    expect((await readContext(folder.path)).map(({ path }) => path)).toEqual([
      '.dockerignore',
      'A.LOG',
      'build/keep.txt',
      'deep',
      'deep/er',
      'deep/er/open',
    ]);
  });

  test('refuses by name what cannot be sent', async () => {
    await using folder = await temporaryFolder();
    execFileSync('mkfifo', [join(folder.path, 'pipe')]);
    await expect(readContext(folder.path)).rejects.toMatchObject({
      reason: 'build-failed',
      message: expect.stringContaining('/pipe is neither file, folder nor link') as string,
    });
    await expect(readContext('/nowhere/at/all')).rejects.toThrow(
      /build context \/nowhere\/at\/all cannot be read/,
    );
  });
});

describe('matchSource', () => {
  const context = contextPaths(
    ['a.cif', 'b.cif', 'data/c.cif', 'we[i]rd', 'data/deep/d.txt', 'A-b.txt'].map((path) => ({
      path,
      kind: 'file' as const,
      mode: 0o644,
      size: 0,
    })),
  );
  test.each([
    ['*.cif', ['a.cif', 'b.cif']],
    ['data/*.cif', ['data/c.cif']],
    ['*/c.cif', ['data/c.cif']],
    ['?.cif', ['a.cif', 'b.cif']],
    ['[a]*.cif', ['a.cif']],
    ['[^a]*.cif', ['b.cif']],
    ['[a-b].cif', ['a.cif', 'b.cif']],
    ['we\\[i\\]rd', ['we[i]rd']],
    ['data/', ['data']],
    ['./data/../a.cif', ['a.cif']],
    ['/a.cif', ['a.cif']],
    ['', ['.']],
    ['data/nope', []],
    ['*.nope', []],
    ['A?b.txt', ['A-b.txt']],
  ])('%j matches %j', (source, expected) => {
    expect(matchSource(source, context)).toEqual(expected);
  });
});

test('sources that are not in the context are told with line, path and repair', async () => {
  await using folder = await temporaryFolder();
  await writeFiles(folder.path, { 'there.txt': '' });
  const parsed = parseDockerfile(
    'env/Dockerfile',
    'FROM a AS one\nCOPY there.txt /\nCOPY gone.bin there.txt /x/\nADD https://example.invalid/x /\nCOPY --from=one /any /\nADD ["lost *.csv", "/"]\n',
  );
  if (!parsed.ok) throw new Error('not parsed');
  const stages = resolveStages(parsed.value, () => ({ env: [], workingDir: '/', user: '' }));
  const found = missingSources('env/Dockerfile', stages, contextPaths(await readContext(folder.path)));
  expect(found.map(({ where, message }) => [where?.line, message])).toEqual([
    [3, 'COPY names "gone.bin", which is not in the build context'],
    [6, 'ADD names "lost *.csv", which is not in the build context'],
  ]);
});
