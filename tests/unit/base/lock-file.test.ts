import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LockedError, lockFile, thisProcess } from '../../../src/base/lock-file.ts';

describe('lockFile', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillpair-lock-'));
    path = join(folder, 'work.lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('names the living process that holds the lock', async () => {
    await using _held = await lockFile(path);
    const refusal = await lockFile(path).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LockedError);
    expect((refusal as LockedError).owner).toEqual(thisProcess());
  });

  test('leaves nothing behind once released, and can then be taken again', async () => {
    {
      await using _held = await lockFile(path);
      expect(await readdir(folder)).toEqual(['work.lock']);
    }
    expect(await readdir(folder)).toEqual([]);
    await using _again = await lockFile(path);
    expect(await readdir(folder)).toEqual(['work.lock']);
  });

  test('takes over the lock of a process that has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await writeFile(path, JSON.stringify({ pid, host: hostname() }));
    await using _held = await lockFile(path);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(thisProcess());
  });

  test('takes a lock on another host as held, because nobody here can tell', async () => {
    await writeFile(path, JSON.stringify({ pid: 1, host: 'elsewhere.invalid' }));
    await expect(lockFile(path)).rejects.toThrow('held by process 1 on elsewhere.invalid');
  });

  test('lets exactly one of many callers at once have it, even over a dead lock', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await writeFile(path, JSON.stringify({ pid, host: hostname() }));
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(path)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
