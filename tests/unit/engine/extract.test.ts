import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extractTo } from '../../../src/engine/extract.ts';

type Header = Parameters<ReturnType<typeof pack>['entry']>[0];

/** A tar as a hostile container could have made it. */
async function tarOf(...entries: readonly (readonly [Header, string?])[]): Promise<Readable> {
  const tar = pack();
  for (const [header, content] of entries) tar.entry(header, content ?? '');
  tar.finalize();
  return Readable.from([await buffer(tar)]);
}

const LIMITS = { maxBytes: 1_000, maxEntries: 100 };

describe('extracting an untrusted tar to the host', () => {
  let root: string;
  let dir: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'skillpair-extract-'));
    dir = join(root, 'evidence');
    await mkdir(dir);
  });
  afterEach(() => rm(root, { recursive: true }));

  it('writes files and folders, and tells which', async () => {
    const tar = await tarOf(
      [{ name: 'out/', type: 'directory', mode: 0o700 }],
      [{ name: 'out/run.sh', mode: 0o4755 }, '#!/bin/sh\n'],
      [{ name: 'out/deep/er/é 🚀.txt', mode: 0o400 }, 'x'],
      [{ name: 'out/empty/', type: 'directory' }],
    );
    expect(await extractTo(tar, dir, LIMITS)).toEqual({
      files: ['out/run.sh', 'out/deep/er/é 🚀.txt'],
      bytes: 11,
      skipped: [],
    });
    expect(await readFile(join(dir, 'out/run.sh'), 'utf8')).toBe('#!/bin/sh\n');
    expect((await stat(join(dir, 'out/run.sh'))).mode & 0o7777).toBe(0o755);
    expect((await stat(join(dir, 'out/deep/er/é 🚀.txt'))).mode & 0o7777).toBe(0o600);
    expect((await stat(join(dir, 'out/empty'))).isDirectory()).toBe(true);
  });

  it('writes nothing outside, and reports what tried', async () => {
    const tar = await tarOf(
      [{ name: '../escaped' }, 'x'],
      [{ name: 'a/../../escaped' }, 'x'],
      [{ name: '/tmp/skillpair-extract-absolute' }, 'x'],
      [{ name: 'inside' }, 'x'],
    );
    const { files, skipped } = await extractTo(tar, dir, LIMITS);
    expect(files).toEqual(['inside']);
    expect(skipped.map(({ reason }) => reason)).toEqual(Array(3).fill('leaves the folder'));
    expect(await readdir(root)).toEqual(['evidence']);
  });

  it('makes neither links nor devices nor pipes', async () => {
    const tar = await tarOf(
      [{ name: 'passwd', type: 'symlink', linkname: '/etc/passwd' }],
      [{ name: 'hard', type: 'link', linkname: '/etc/passwd' }],
      [{ name: 'null', type: 'character-device', devmajor: 1, devminor: 3 }],
      [{ name: 'disk', type: 'block-device', devmajor: 8, devminor: 0 }],
      [{ name: 'pipe', type: 'fifo' }],
    );
    const { files, skipped } = await extractTo(tar, dir, LIMITS);
    expect(files).toEqual([]);
    expect(skipped).toEqual([
      { path: 'passwd', reason: 'link' },
      { path: 'hard', reason: 'link' },
      { path: 'null', reason: 'special file' },
      { path: 'disk', reason: 'special file' },
      { path: 'pipe', reason: 'special file' },
    ]);
    expect(await readdir(dir)).toEqual([]);
  });

  it('writes through no link, neither one of the tar nor one that is there already', async () => {
    await symlink(root, join(dir, 'there'));
    const tar = await tarOf(
      [{ name: 'link', type: 'symlink', linkname: '..' }],
      [{ name: 'link/a' }, 'x'],
      [{ name: 'there/b' }, 'x'],
      [{ name: 'there' }, 'x'],
    );
    const { files, skipped } = await extractTo(tar, dir, LIMITS);
    expect(files).toEqual(['link/a']);
    expect(skipped.slice(1)).toEqual([
      { path: 'there/b', reason: 'in the way' },
      { path: 'there', reason: 'in the way' },
    ]);
    expect(await readdir(root)).toEqual(['evidence']);
  });

  it('overwrites nothing: of two entries with one name the first stays', async () => {
    const tar = await tarOf(
      [{ name: 'a' }, 'first'],
      [{ name: 'a' }, 'second'.repeat(100_000)],
      [{ name: 'a/b' }, 'below a file'],
      [{ name: 'last' }, 'x'],
    );
    const { files, skipped } = await extractTo(tar, dir, { maxBytes: 10_000_000, maxEntries: 10 });
    expect(files).toEqual(['a', 'last']);
    expect(skipped.map(({ path }) => path)).toEqual(['a', 'a/b']);
    expect(await readFile(join(dir, 'a'), 'utf8')).toBe('first');
  });

  it('leaves out what goes over the limits and writes the rest', async () => {
    const tar = await tarOf(
      [{ name: 'small' }, 'x'.repeat(400)],
      [{ name: 'huge' }, 'x'.repeat(700)],
      [{ name: 'fits' }, 'x'.repeat(600)],
      [{ name: 'fourth' }, ''],
    );
    expect(await extractTo(tar, dir, { maxBytes: 1_000, maxEntries: 3 })).toEqual({
      files: ['small', 'fits'],
      bytes: 1_000,
      skipped: [
        { path: 'huge', reason: 'over the size limit' },
        { path: 'fourth', reason: 'over the entry limit' },
      ],
    });
  });

  it('stops at a file that claims far more than the limit, whose bytes would never end', async () => {
    const tar = pack();
    tar.entry({ name: 'first' }, 'x');
    // No byte of it ever comes: who reads on waits for ever.
    tar.entry({ name: 'holes', size: 2 ** 43 });
    const { files, skipped } = await extractTo(tar as unknown as Readable, dir, LIMITS);
    expect(files).toEqual(['first']);
    expect(skipped).toEqual([{ path: 'holes', reason: 'so large that nothing after it was read' }]);
  });

  it('leaves out names that the host cannot hold', async () => {
    const tar = await tarOf([{ name: `${'n'.repeat(256)}` }, 'x'], [{ name: `d/${'é'.repeat(128)}/f` }, 'x']);
    const { skipped } = await extractTo(tar, dir, LIMITS);
    expect(skipped.map(({ reason }) => reason)).toEqual(['unusable name', 'unusable name']);
  });

  it('rejects at a torn tar', async () => {
    const whole = await buffer(await tarOf([{ name: 'a' }, 'x'.repeat(600)]));
    await expect(extractTo(Readable.from([whole.subarray(0, 700)]), dir, LIMITS)).rejects.toThrow();
  });
});
