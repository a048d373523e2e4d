import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readTar } from '../../../src/engine/archive.ts';
import { OUTPUT_LIMIT_BYTES, takeOutputs } from '../../../src/run/outputs.ts';
import { type RawEntry, rawTar, stoppedContainer } from '../../support/raw-tar.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OUTPUT = '/workspace/out';

/** What is taken from `/workspace/out` of a container that holds these entries. */
async function taken(entries: readonly RawEntry[], outputs: readonly string[] = [OUTPUT]) {
  const own = rawTar([{ name: 'out', type: 'directory', mode: 0o755 }, ...entries]);
  return takenFrom({ [OUTPUT]: () => own }, outputs);
}

async function takenFrom(tars: Readonly<Record<string, () => Readable>>, outputs: readonly string[]) {
  await using folder = await temporaryFolder();
  const tarPath = join(folder.path, 'outputs.tar');
  const container = stoppedContainer(tars);
  const leftOut = await takeOutputs({ container, outputs, tarPath, signal: new AbortController().signal });
  const kept: Record<string, string> = {};
  for await (const { path, kind, mode, target, content } of readTar(createReadStream(tarPath))) {
    kept[path] = [kind, mode.toString(8), target ?? (await text(content))].join(' ');
  }
  return { kept, leftOut };
}

const FOLDER = { 'workspace/out': 'folder 755 ' };

describe('takeOutputs', () => {
  it('takes files and folders with their modes, under the path they had', async () => {
    const { kept, leftOut } = await taken([
      { name: 'out/sub', type: 'directory', mode: 0o700 },
      { name: 'out/sub/run.sh', type: 'file', mode: 0o755, content: 'echo' },
    ]);
    expect(kept).toEqual({
      ...FOLDER,
      'workspace/out/sub': 'folder 700 ',
      'workspace/out/sub/run.sh': 'file 755 echo',
    });
    expect(leftOut).toEqual([]);
  });

  it('takes a single file that is declared itself', async () => {
    const { kept } = await takenFrom(
      {
        '/workspace/answer.txt': () =>
          rawTar([{ name: 'answer.txt', type: 'file', mode: 0o644, content: '42' }]),
      },
      ['/workspace/answer.txt', '/workspace/absent.txt'],
    );
    expect(kept).toEqual({ 'workspace/answer.txt': 'file 644 42' });
  });

  it.each(['a.txt', './a.txt', 'sub/../../out/a.txt', '/workspace/out/a.txt', '../out/a.txt'])(
    'judges a link to %s by where it leads',
    async (linkname) => {
      const { kept, leftOut } = await taken([
        { name: 'out/a.txt', type: 'file', mode: 0o644, content: 'a' },
        { name: 'out/link', type: 'symlink', linkname },
      ]);
      const climbs = linkname.startsWith('sub/');
      expect(leftOut).toEqual(climbs ? [{ path: `${OUTPUT}/link`, why: 'link-out-of-outputs' }] : []);
      expect('workspace/out/link' in kept).toBe(!climbs);
    },
  );

  it.each([
    '/tests/expected.json',
    '../../tests/expected.json',
    '/workspace/outside',
    '/workspace/out/../secret',
    'sub/../../../tests/x',
    'sub/./../../../tests/x',
    'sub//..//..//..//tests/x',
    '.../../../../tests/x',
    '/workspace/out/.../../../../tests/x',
    '..hidden/../../../tests/x',
  ])('leaves out a link to %j', async (linkname) => {
    const { kept, leftOut } = await taken([{ name: 'out/link', type: 'symlink', linkname }]);
    expect(kept).toEqual(FOLDER);
    expect(leftOut).toEqual([{ path: `${OUTPUT}/link`, why: 'link-out-of-outputs' }]);
  });

  it('leaves out an output that is itself a link to somewhere else', async () => {
    const { kept, leftOut } = await takenFrom(
      { [OUTPUT]: () => rawTar([{ name: 'out', type: 'symlink', linkname: '/tests' }]) },
      [OUTPUT],
    );
    expect(kept).toEqual({});
    expect(leftOut).toEqual([{ path: OUTPUT, why: 'link-out-of-outputs' }]);
  });

  it('keeps a second name of a file that it took, as a hard link', async () => {
    const { kept, leftOut } = await taken([
      { name: 'out/a.txt', type: 'file', mode: 0o644, content: 'a' },
      { name: 'out/b.txt', type: 'link', linkname: 'out/a.txt', mode: 0o644 },
    ]);
    expect(kept['workspace/out/b.txt']).toBe('hard-link 644 workspace/out/a.txt');
    expect(leftOut).toEqual([]);
  });

  it.each(['../tests/expected.json', '/tests/expected.json', 'out/never', 'out/link'])(
    'leaves out a hard link to %s, which it did not take',
    async (linkname) => {
      const { leftOut } = await taken([
        { name: 'out/link', type: 'symlink', linkname: '/etc/passwd' },
        { name: 'out/hard', type: 'link', linkname },
      ]);
      expect(leftOut).toContainEqual({ path: `${OUTPUT}/hard`, why: 'link-out-of-outputs' });
    },
  );

  it.each(['fifo', 'character-device', 'block-device'] as const)('leaves out a %s', async (type) => {
    const { kept, leftOut } = await taken([{ name: 'out/odd', type }]);
    expect(kept).toEqual(FOLDER);
    expect(leftOut).toEqual([{ path: `${OUTPUT}/odd`, why: 'not-a-file' }]);
  });

  it('drops set-id and sticky bits', async () => {
    const { kept } = await taken([{ name: 'out/run', type: 'file', mode: 0o7755, content: 'x' }]);
    expect(kept['workspace/out/run']).toBe('file 755 x');
  });

  it('leaves out what goes beyond the limit and names it, instead of filling the disk or reading it to its end', async () => {
    const zeros = Buffer.alloc(1 << 20);
    let sent = 0;
    const huge = (): Readable => {
      const header = Buffer.alloc(512);
      header.write('out/huge', 0);
      header.write('0000644\0', 100);
      header.write('0000000\0', 108);
      header.write('0000000\0', 116);
      header.write(`${(OUTPUT_LIMIT_BYTES + (1 << 20)).toString(8).padStart(11, '0')}\0`, 124);
      header.write('00000000000\0', 136);
      header.write('        ', 148);
      header.write('0', 156);
      header.write('ustar\x0000', 257);
      const sum = header.reduce((total, byte) => total + byte, 0);
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      return Readable.from(
        (function* () {
          yield header;
          for (; sent < OUTPUT_LIMIT_BYTES + (1 << 20); sent += zeros.length) yield zeros;
          yield Buffer.alloc(1024);
        })(),
      );
    };
    const { kept, leftOut } = await takenFrom({ [OUTPUT]: huge }, [OUTPUT]);
    expect(kept).toEqual({});
    expect(leftOut).toEqual([{ path: `${OUTPUT}/huge`, why: 'too-large' }]);
    expect(sent).toBeLessThan(64 << 20);
  });
});
