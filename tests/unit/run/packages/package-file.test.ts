import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestBytes } from '../../../../src/base/digest.ts';
import { readTar, type TarEntry } from '../../../../src/engine/archive.ts';
import {
  findPackages,
  keepPackages,
  keptSum,
  readPackages,
} from '../../../../src/run/packages/package-file.ts';

const KEY = digestBytes('a verifier');
const NAME = KEY.slice('sha256:'.length);
const ENTRY: TarEntry = {
  path: 'root/.cache/pip/a',
  kind: 'file',
  mode: 0o600,
  uid: 0,
  gid: 0,
  content: Buffer.from('bytes'),
  modified: new Date('2026-01-02T03:04:05Z'),
};

async function* entries(...all: TarEntry[]): AsyncGenerator<TarEntry> {
  yield* all;
}

describe('packages on the disk', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'skillpair-packages-'));
  });
  afterEach(() => rm(dir, { recursive: true }));
  const place = () => ({ dir, key: KEY });

  it('are found as they were kept, with the times that installers compare', async () => {
    const kept = await keepPackages(place(), entries(ENTRY));
    expect(kept).toMatchObject({ key: KEY, files: 1, digest: digestBytes(await readFile(kept.path)) });
    expect(await findPackages(place())).toEqual(kept);
    for await (const entry of readTar(readPackages(kept))) {
      expect(entry).toMatchObject({ path: ENTRY.path, modified: ENTRY.modified });
      expect(await text(entry.content)).toBe('bytes');
    }
  });

  it('are known to be none where there was nothing to keep', async () => {
    const kept = await keepPackages(place(), entries());
    expect(kept).toMatchObject({ files: 0, bytes: 0 });
    expect(await findPackages(place())).toEqual(kept);
    expect(await readdir(dir)).toEqual([`${NAME}.json`]);
  });

  it('are summed for whoever wants to remove them', async () => {
    expect(await keptSum(join(dir, 'nowhere'))).toEqual({ verifiers: 0, bytes: 0 });
    const { bytes } = await keepPackages(place(), entries(ENTRY));
    await keepPackages({ dir, key: digestBytes('another') }, entries());
    await writeFile(join(dir, 'half.json'), '{');
    expect(await keptSum(dir)).toEqual({ verifiers: 2, bytes });
  });

  it('are absent until the last file is written, whatever a killed process left', async () => {
    expect(await findPackages(place())).toBe('absent');
    await writeFile(join(dir, `${NAME}.new`), 'half');
    await writeFile(join(dir, `${NAME}.tar`), 'of another time');
    expect(await findPackages(place())).toBe('absent');
    const kept = await keepPackages(place(), entries(ENTRY));
    expect(await findPackages(place())).toEqual(kept);
    expect(await readdir(dir)).toEqual([`${NAME}.json`, `${NAME}.tar`]);
  });

  it('are kept whole or not at all, and nothing of the last ones stays', async () => {
    await keepPackages(place(), entries(ENTRY));
    const broken = async function* () {
      yield ENTRY;
      throw new Error('the engine went away');
    };
    await expect(keepPackages(place(), broken())).rejects.toThrow('the engine went away');
    expect(await findPackages(place())).toBe('absent');
    expect(await readdir(dir)).toEqual([`${NAME}.tar`]);
  });

  it.each([
    [
      'a changed bit',
      (path: string, bytes: Buffer) => writeFile(path, bytes.fill(bytes.readUInt8(40) ^ 1, 40, 41)),
    ],
    ['a cut', (path: string, bytes: Buffer) => truncate(path, bytes.length - 512)],
    ['a loss', (path: string) => rm(path)],
  ])('are known to be damaged after %s', async (_, damage) => {
    const { path, digest } = await keepPackages(place(), entries(ENTRY));
    await damage(path, await readFile(path));
    expect(await findPackages(place())).toEqual({ damaged: path });
    await expect(text(readPackages({ path, digest }))).rejects.toThrow(path);
  });

  it.each(['{', '{}', 'null'])(
    'are known to be damaged where what is known of them is %s',
    async (manifest) => {
      await keepPackages(place(), entries(ENTRY));
      const path = join(dir, `${NAME}.json`);
      await writeFile(path, manifest);
      expect(await findPackages(place())).toEqual({ damaged: path });
    },
  );
});
