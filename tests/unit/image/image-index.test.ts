import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packTar, type TarEntry } from '../../../src/engine/archive.ts';
import { indexOfTar, readImageIndex } from '../../../src/image/image-index.ts';
import { readIndexFile, writeIndexFile } from '../../../src/image/index-file.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';
import { sha256, temporaryFolder } from './made-project.ts';

const own = { mode: 0o755, uid: 0, gid: 0 };
const folder = (path: string): TarEntry => ({ path, kind: 'folder', ...own });
const file = (path: string, text: string): TarEntry => ({
  path,
  kind: 'file',
  ...own,
  content: Buffer.from(text),
});
const link = (path: string, target: string): TarEntry => ({ path, kind: 'link', ...own, target });

const ENTRIES = [
  folder('usr'),
  folder('usr/bin'),
  { ...file('usr/bin/tool', 'tool\n'), mode: 0o4755, uid: 1000, gid: 50 },
  link('bin', 'usr/bin'),
  folder('etc'),
  file(
    'etc/passwd',
    'root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000::/home/agent:/bin/sh\nbroken line\n:x:1:1::/x:\n',
  ),
  link('loop-a', 'loop-b'),
  link('loop-b', '/loop-a'),
  link('self', '.'),
  link('up', '../../etc'),
  link('usr/back', '../bin/tool'),
  link('dangling', '/nowhere'),
];

describe('an image index', () => {
  test('has kind, mode, owner, size, digest and target of every path, and the users', async () => {
    const index = await indexOfTar('sha256:x', packTar(ENTRIES));
    expect(index.entries.get('/usr/bin/tool')).toEqual({
      kind: 'file',
      mode: 0o4755,
      uid: 1000,
      gid: 50,
      size: 5,
      digest: sha256('tool\n'),
    });
    expect(index.entries.get('/bin')).toMatchObject({ kind: 'link', target: 'usr/bin' });
    expect(index.users).toEqual([
      { name: 'root', uid: 0, gid: 0, home: '/root' },
      { name: 'agent', uid: 1000, gid: 1000, home: '/home/agent' },
    ]);
  });

  test.each([
    ['/usr/bin/tool', '/usr/bin/tool'],
    ['/bin/tool', '/usr/bin/tool'],
    ['/bin/../bin/tool', '/usr/bin/tool'],
    ['/usr/back', '/usr/bin/tool'],
    ['/up/passwd', '/etc/passwd'],
    ['/self/self/etc/', '/etc'],
    ['/', '/'],
    ['/..', '/'],
    ['/loop-a', undefined],
    ['/dangling', undefined],
    ['/usr/none', undefined],
  ])('resolves %s to %s', async (path, expected) => {
    expect((await indexOfTar('sha256:x', packTar(ENTRIES))).resolve(path)).toBe(expected);
  });

  test('lists a folder behind a link, sorted, and nothing for what is no folder', async () => {
    const index = await indexOfTar('sha256:x', packTar(ENTRIES));
    expect(index.list('/bin')).toEqual(['tool']);
    expect(index.list('/')).toEqual([...index.list('/')].sort());
    expect(index.list('/loop-a')).toEqual([]);
    expect(index.list('/usr/bin/tool')).toEqual([]);
  });

  test('is the same after being written and read; a torn file or one of another image is none', async () => {
    await using temporary = await temporaryFolder();
    const path = join(temporary.path, 'deep', 'index.json.gz');
    const index = await indexOfTar('sha256:x', packTar(ENTRIES));
    await writeIndexFile(path, index);
    const back = await readIndexFile(path, 'sha256:x');
    expect([...(back?.entries ?? [])]).toEqual([...index.entries]);
    expect(back?.users).toEqual(index.users);
    expect(await readIndexFile(path, 'sha256:y')).toBeUndefined();
    const { truncate } = await import('node:fs/promises');
    await truncate(path, 60);
    expect(await readIndexFile(path, 'sha256:x')).toBeUndefined();
  });

  test('is made once per image, from a container that is never started and goes again', async () => {
    await using temporary = await temporaryFolder();
    const engine = makeFakeEngine();
    const image = engine.addImage('base', { files: { '/etc/hello': 'hi\n' } });
    const signal = new AbortController().signal;
    const tools = { engine, cacheDir: temporary.path };
    const first = await readImageIndex(tools, image, signal);
    const second = await readImageIndex(tools, image, signal);
    expect(second.entries.get('/etc/hello')?.digest).toBe(sha256('hi\n'));
    expect([...second.entries]).toEqual([...first.entries]);
    expect(engine.callsOf('createContainer')).toHaveLength(1);
    expect(engine.callsOf('runMain')).toEqual([]);
    expect(engine.leftovers()).toEqual([]);
  });
});
