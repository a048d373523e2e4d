import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeReports } from '../../../src/report/write-reports.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skillpair-reports-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function* pieces(count: number, failAt = Number.POSITIVE_INFINITY) {
  for (let index = 0; index < count; index++) {
    if (index === failAt) throw new Error('broken source');
    yield `${index}\n`.padStart(64 * 1024, ' ');
  }
}

describe('writeReports', () => {
  it('makes the folders and writes strings and pieces alike', async () => {
    const written = await writeReports(join(dir, 'reports'), [
      { path: 'a/b.txt', content: 'whole' },
      { path: 'c.txt', content: pieces(20) },
    ]);
    expect(written).toEqual([join(dir, 'reports/a/b.txt'), join(dir, 'reports/c.txt')]);
    expect(await readFile(written[0]!, 'utf8')).toBe('whole');
    expect((await readFile(written[1]!, 'utf8')).length).toBe(20 * 64 * 1024);
  });

  it('takes the middle of a report that was written before, byte for byte', async () => {
    async function* around() {
      yield 'a';
      yield { partOf: 'part.txt', skipStart: 2, skipEnd: 3 };
      yield { partOf: 'short.txt', skipStart: 1, skipEnd: 1 };
      yield 'z';
    }
    await writeReports(dir, [
      { path: 'part.txt', content: '<<\u00e4\u20ac>>>' },
      { path: 'short.txt', content: '<>' },
      { path: 'all.txt', content: around() },
    ]);
    expect(await readFile(join(dir, 'all.txt'), 'utf8')).toBe('a\u00e4\u20acz');
  });

  it('takes the parts of reports that were just made from pieces', async () => {
    async function* joined() {
      yield { partOf: 'a.txt', skipStart: 0, skipEnd: 0 };
      yield { partOf: 'b.txt', skipStart: 0, skipEnd: 0 };
    }
    await writeReports(dir, [
      { path: 'a.txt', content: pieces(20) },
      { path: 'b.txt', content: pieces(30) },
      { path: 'all.txt', content: joined() },
    ]);
    const [a, b, all] = await Promise.all(
      ['a', 'b', 'all'].map((name) => readFile(join(dir, `${name}.txt`), 'utf8')),
    );
    expect(all?.length).toBe(50 * 64 * 1024);
    expect(all).toBe(`${a}${b}`);
  });

  it('rejects when a report cannot get its name, and leaves nothing of it or of those after it', async () => {
    await mkdir(join(dir, 'b.txt/inside'), { recursive: true });
    const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((path) => ({ path, content: pieces(8) }));
    await expect(writeReports(dir, files)).rejects.toThrow(/b\.txt/);
    expect((await readdir(dir)).sort()).toEqual(['a.txt', 'b.txt']);
  });

  it('keeps the earlier file whole when a source breaks midway, and leaves nothing beside it', async () => {
    await writeReports(dir, [{ path: 'c.txt', content: 'earlier' }]);
    await expect(writeReports(dir, [{ path: 'c.txt', content: pieces(20, 10) }])).rejects.toThrow(
      'broken source',
    );
    expect(await readFile(join(dir, 'c.txt'), 'utf8')).toBe('earlier');
    expect(await readdir(dir)).toEqual(['c.txt']);
  });
});
