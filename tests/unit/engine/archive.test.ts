import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTar, readTar, type TarEntry } from '../../../src/engine/archive.ts';

const file = (path: string, content: string | Uint8Array = '', more: Partial<TarEntry> = {}): TarEntry => ({
  path,
  kind: 'file',
  mode: 0o644,
  uid: 1000,
  gid: 1000,
  content: Buffer.from(content),
  ...more,
});

async function readAll(tar: Readable): Promise<{ path: string; content: string }[]> {
  const entries: { path: string; content: string }[] = [];
  for await (const { path, content } of readTar(tar)) {
    entries.push({ path, content: (await buffer(content)).toString() });
  }
  return entries;
}

/** A path of exactly so many bytes, in parts a file system takes. */
function pathOfBytes(bytes: number): string {
  const parts: string[] = [];
  for (let left = bytes; left > 0; left -= 61) parts.push('n'.repeat(Math.min(left, 60)));
  return parts.join('/').slice(0, bytes);
}

describe('packing a tar', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'skillpair-archive-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it.each([99, 100, 101, 155, 156, 256, 300])('keeps a path of %i bytes', async (bytes) => {
    const path = pathOfBytes(bytes);
    expect(Buffer.byteLength(path)).toBe(bytes);
    expect(await readAll(packTar([file(path, 'x')]))).toEqual([{ path, content: 'x' }]);
  });

  it.each([
    ['a blank', 'a b/c d.txt'],
    ['quotes', `it's "so".txt`],
    ['an accent in one code point', 'caf\u00e9.txt'],
    ['an accent in two code points', 'cafe\u0301.txt'],
    ['an emoji', '\u{1f680}/launch.md'],
    ['a leading dot', '.hidden'],
    ['a long name in another script', `${'\u6f22'.repeat(80)}.txt`],
  ])('keeps a path with %s', async (_what, path) => {
    expect(await readAll(packTar([file(path, 'x')]))).toEqual([{ path, content: 'x' }]);
  });

  it('keeps the two normal forms of an accent apart', async () => {
    const paths = (await readAll(packTar([file('\u00e9'), file('e\u0301')]))).map(({ path }) => path);
    expect(paths).toEqual(['\u00e9', 'e\u0301']);
  });

  it('keeps kind, mode, owner and target, mode 0 included', async () => {
    const entries: TarEntry[] = [
      { path: 'folder', kind: 'folder', mode: 0o2750, uid: 7, gid: 8 },
      file('folder/none', 'secret', { mode: 0 }),
      file('folder/empty'),
      { path: 'folder/link', kind: 'link', mode: 0o777, uid: 1, gid: 2, target: '../elsewhere' },
    ];
    const read: unknown[] = [];
    for await (const { path, kind, mode, uid, gid, size, target, content } of readTar(packTar(entries))) {
      content.resume();
      read.push({ path, kind, mode, uid, gid, size, target });
    }
    expect(read).toEqual([
      { path: 'folder', kind: 'folder', mode: 0o2750, uid: 7, gid: 8, size: 0, target: undefined },
      { path: 'folder/none', kind: 'file', mode: 0, uid: 1000, gid: 1000, size: 6, target: undefined },
      { path: 'folder/empty', kind: 'file', mode: 0o644, uid: 1000, gid: 1000, size: 0, target: undefined },
      { path: 'folder/link', kind: 'link', mode: 0o777, uid: 1, gid: 2, size: 0, target: '../elsewhere' },
    ]);
  });

  it('gives the same bytes for the same entries, whenever and from wherever the content comes', async () => {
    const path = join(dir, 'same');
    await writeFile(path, 'content', { mode: 0o600 });
    const fromBytes = await buffer(packTar([file('a', 'content'), file('b')]));
    const fromFile = await buffer(
      packTar([file('a', '', { content: { hostPath: path, size: 7 } }), file('b')]),
    );
    expect(fromFile.equals(fromBytes)).toBe(true);
    expect(fromBytes.includes('same')).toBe(false);
  });

  it('streams a host file of 64 MiB byte for byte', async () => {
    const path = join(dir, 'large');
    const size = 64 * 2 ** 20;
    await writeFile(path, '');
    await truncate(path, size);
    const hash = createHash('sha256');
    for await (const { content } of readTar(
      packTar([file('large', '', { content: { hostPath: path, size } })]),
    )) {
      for await (const chunk of content) hash.update(chunk as Uint8Array);
    }
    // head -c 67108864 /dev/zero | sha256sum
    expect(hash.digest('hex')).toBe('3b6a07d0d404fab4e23b6d34bc6696a6a312dd92821332385e5af7c01c421351');
  });

  it('fails with the entry and the reason when a host file has gone', async () => {
    const entries = [
      file('first', 'x'),
      file('skill/gone.md', '', { content: { hostPath: join(dir, 'gone'), size: 3 } }),
    ];
    await expect(buffer(packTar(entries))).rejects.toThrow(/^cannot pack skill\/gone\.md: ENOENT/);
  });

  it.each([
    ['shorter', 'ab', 3],
    ['longer', 'abcd', 3],
    ['empty', '', 3],
    ['no longer empty', 'abc', 0],
  ])('fails when a host file has become %s', async (_what, content, size) => {
    const path = join(dir, 'changed');
    await writeFile(path, content);
    const entries = [file('changed', '', { content: { hostPath: path, size } }), file('after', 'x')];
    await expect(buffer(packTar(entries))).rejects.toThrow(/cannot pack changed: its size changed/);
  });

  it('fails when a host file is a folder', async () => {
    const entries = [file('folder', '', { content: { hostPath: dir, size: 3 } })];
    await expect(buffer(packTar(entries))).rejects.toThrow(/cannot pack folder: EISDIR/);
  });

  it('lets go of the host file when its reader stops', async () => {
    const path = join(dir, 'stopped');
    await writeFile(path, Buffer.alloc(2 ** 20));
    const tar = packTar([file('stopped', '', { content: { hostPath: path, size: 2 ** 20 } })]);
    for await (const _ of tar) break;
    expect(tar.destroyed).toBe(true);
  });
});

describe('a reader that stops early', () => {
  it('ends the packing without an error that nobody hears', async () => {
    const tar = packTar(Array.from({ length: 4 }, (_, index) => file(`${index}`, Buffer.alloc(2 ** 20))));
    tar.once('readable', () => tar.destroy());
    await new Promise((resolve) => tar.once('close', resolve));
    // An error without a listener would come in one of the next turns, and fail this test.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(tar.errored).toBeNull();
  });
});

describe('reading a tar', () => {
  const whole = () => buffer(packTar([file('one', 'x'.repeat(700)), file('two', 'y')]));

  it('throws wherever the tar is cut', async () => {
    const bytes = await whole();
    // 512 head + 1024 content, twice less the second's shorter content, and the closing blocks: 3584 bytes.
    expect(bytes.byteLength).toBe(3_584);
    for (const cut of [0, 1, 511, 512, 600, 1_024, 1_535, 1_536, 1_600, 2_048, 2_559, 2_560, 2_561]) {
      await expect(readAll(Readable.from([bytes.subarray(0, cut)])), `cut at ${cut}`).rejects.toThrow();
    }
  });

  it('throws at a damaged head', async () => {
    const bytes = await whole();
    bytes[10] = 0xee;
    await expect(readAll(Readable.from([bytes]))).rejects.toThrow(/header/);
  });

  it('throws the error of its source', async () => {
    const bytes = await whole();
    const source = Readable.from(
      (function* () {
        yield bytes.subarray(0, 800);
        throw new Error('the engine went away');
      })(),
    );
    await expect(readAll(source)).rejects.toThrow('the engine went away');
  });

  it('fails a content that is read only after the tar has broken', async () => {
    const bytes = await whole();
    const reading = (async () => {
      for await (const { content } of readTar(Readable.from([bytes.subarray(0, 900)]))) {
        for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
        await buffer(content);
      }
    })();
    await expect(reading).rejects.toThrow();
  });

  it('strips what some writers put round a path', async () => {
    const bytes = await buffer(
      packTar([file('./a/b', 'x'), { path: './a/c/', kind: 'folder', mode: 0o755, uid: 0, gid: 0 }]),
    );
    expect((await readAll(Readable.from([bytes]))).map(({ path }) => path)).toEqual(['a/b', 'a/c']);
  });

  it('ends its source when the reader stops early', async () => {
    const source = packTar([file('one', 'x'), file('two', 'y')]);
    for await (const entry of readTar(source)) {
      expect(entry.path).toBe('one');
      break;
    }
    expect(source.destroyed).toBe(true);
  });

  it('does not need the content of an entry to be read', async () => {
    const paths: string[] = [];
    for await (const { path } of readTar(packTar([file('one', 'x'.repeat(200_000)), file('two', 'y')])))
      paths.push(path);
    expect(paths).toEqual(['one', 'two']);
  });
});
