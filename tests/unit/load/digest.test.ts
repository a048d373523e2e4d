import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileDigest } from '../../../src/base/file-digest.ts';
import { byPathBytes, folderDigest } from '../../../src/load/digest.ts';
import { scratchFolder } from './support/scratch-project.ts';

it('of a file is its SHA-256, whether read whole or streamed', async () => {
  await using files = await scratchFolder({
    small: 'abc',
    large: 'a'.repeat(1_000_000).padEnd(2_000_000, 'a'),
  });
  // FIPS 180-2, example B.1.
  expect(await fileDigest(join(files.dir, 'small'))).toBe(
    'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  const [told = ''] = execFileSync('sha256sum', [join(files.dir, 'large')], { encoding: 'utf8' }).split(' ');
  expect(await fileDigest(join(files.dir, 'large'))).toBe(`sha256:${told}`);
});

it('of a folder changes with content, run bits, links, folders and special files, and not with what is excluded', async () => {
  await using files = await scratchFolder({ a: '1', 'sub/b': '2', 'skills/x': '3' });
  const { dir } = files;
  const digest = () => folderDigest(dir, { exclude: ['skills'] });
  const seen = [await digest()];
  await writeFile(join(dir, 'skills/y'), '4');
  expect(await digest()).toBe(seen[0]);
  const changes = [
    () => writeFile(join(dir, 'a'), '2'),
    () => chmod(join(dir, 'a'), 0o755),
    () => mkdir(join(dir, 'empty')),
    () => mkdir(join(dir, 'sub/skills')),
    () => symlink('a', join(dir, 'link')),
    async () => execFileSync('mkfifo', [join(dir, 'pipe')]),
  ];
  for (const change of changes) {
    await change();
    seen.push(await digest());
  }
  expect(new Set(seen).size).toBe(changes.length + 1);
});

it('of a folder that is absent is that of an empty one', async () => {
  await using files = await scratchFolder();
  expect(await folderDigest(join(files.dir, 'none'))).toBe(await folderDigest(files.dir));
});

it('sorts by the bytes of UTF-8, not by UTF-16 units', () => {
  const paths = ['\u{1F642}', '\uFF5E', 'z', 'Z', 'é'].map((path) => ({ path }));
  expect(paths.toSorted(byPathBytes).map(({ path }) => path)).toEqual(['Z', 'z', 'é', '\uFF5E', '\u{1F642}']);
});
