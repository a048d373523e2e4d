import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisProcess } from '../../../../src/base/lock-file.ts';
import { makeRoom, usePackages } from '../../../../src/run/packages/package-room.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const KEYS = { old: 'aa', middle: 'bb', young: 'cc' } as const;

describe('the room for kept packages', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let dir: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    dir = join(folder.path, 'packages');
    await mkdir(dir);
    for (const [age, key] of Object.values(KEYS).entries()) {
      await writeFile(join(dir, `${key}.tar`), Buffer.alloc(1000));
      await writeFile(join(dir, `${key}.json`), '{}');
      await utimes(join(dir, `${key}.json`), 1000 + age, 1000 + age);
    }
  });
  afterEach(() => folder[Symbol.asyncDispose]());
  const tars = async () => (await readdir(dir)).filter((name) => name.endsWith('.tar')).sort();

  it('is left as it is while there is enough', async () => {
    expect(await makeRoom(dir, 3006)).toBe(0);
    expect(await tars()).toEqual(['aa.tar', 'bb.tar', 'cc.tar']);
  });

  it('is made by removing whole what was asked for longest ago', async () => {
    expect(await makeRoom(dir, 1500)).toBe(2);
    expect((await readdir(dir)).sort()).toEqual(['cc.json', 'cc.tar']);
  });

  it('is not made of what a living process needs, and what was asked for again is young', async () => {
    await usePackages({ dir, key: 'sha256:aa' });
    expect(await makeRoom(dir, 2500)).toBe(1);
    expect(await tars()).toEqual(['aa.tar', 'cc.tar']);
    expect(await makeRoom(dir, 0)).toBe(1);
    expect(await tars()).toEqual(['aa.tar']);
  });

  it('forgets of those that have died that they needed what is needed again', async () => {
    await writeFile(join(dir, 'aa.0f-1.used'), 'torn');
    await usePackages({ dir, key: 'aa' });
    const marks = (await readdir(dir)).filter((name) => name.endsWith('.used'));
    expect([marks.length, marks.includes('aa.0f-1.used')]).toEqual([1, false]);
  });

  it('is made of what dead processes needed, and of what none of them finished', async () => {
    const dead = { ...thisProcess(), pid: 2 ** 22 + 1, life: undefined };
    await writeFile(join(dir, 'aa.0f-1.used'), JSON.stringify(dead));
    await writeFile(join(dir, 'bb.0f-1.used'), 'torn');
    await writeFile(join(dir, 'dd.new'), Buffer.alloc(10));
    await writeFile(join(dir, 'a note of somebody'), 'stays');
    expect(await makeRoom(dir, 1500)).toBe(3);
    expect((await readdir(dir)).sort()).toEqual(['a note of somebody', 'cc.json', 'cc.tar']);
  });
});
