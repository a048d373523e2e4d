import { describe, expect, it } from 'vitest';
import type { PathChange } from '../../../src/engine/engine.ts';
import { type ListedState, unlistedChanges } from '../../../src/run/unlisted-changes.ts';
import type { FilesInput } from '../../fakes/fake-files.ts';
import { indexOf, stopped } from './image-of.ts';

const IMAGE: FilesInput = {
  '/usr/bin/env': 'env: its program',
  '/usr/bin/ls': 'ls: its own program',
  '/usr/bin/sh': { kind: 'link', target: 'dash' },
  '/usr/bin/dash': 'the shell, as it is installed',
  '/app/data': 'whatever it is',
};
const index = indexOf(IMAGE);
const never = new AbortController().signal;

async function found(changed: FilesInput, more: Partial<ListedState> = {}) {
  const container = stopped({ ...IMAGE, ...changed });
  const isWanted = (path: string) => path.startsWith('/usr/');
  const state = { index, changes: [], isWanted, volumes: ['/data/'], writtenBytes: undefined, ...more };
  return { paths: await unlistedChanges(container, state, never), asked: container.asked };
}
const added = (...paths: string[]): PathChange[] => paths.map((path) => ({ path, kind: 'added' }));

describe('unlistedChanges', () => {
  it('finds a program of other bytes and the same size, and a link that leads elsewhere', async () => {
    const { paths } = await found({
      '/usr/bin/env': 'mine: a program!',
      '/usr/bin/sh': { kind: 'link', target: 'daxh' },
    });
    expect(paths).toEqual(['/usr/bin/env', '/usr/bin/sh']);
  });

  it('finds nothing where nothing differs, and does not look at what is not wanted', async () => {
    expect((await found({ '/app/data': 'something else' })).paths).toEqual([]);
  });

  it('leaves to the list what the list has', async () => {
    const changes: PathChange[] = [{ path: '/usr/bin/env', kind: 'modified' }];
    expect((await found({ '/usr/bin/env': 'mine: a program!' }, { changes })).paths).toEqual([]);
  });

  it('takes what cannot be found for changed', async () => {
    expect((await found({ '/usr/bin/env': null })).paths).toEqual(['/usr/bin/env']);
  });

  it('reads nothing where all that was written is accounted for', async () => {
    const { paths, asked } = await found(
      { '/app/out': '42' },
      { changes: added('/app/out'), writtenBytes: 2 },
    );
    expect([paths, asked]).toEqual([[], ['/app/out']]);
  });

  it('reads only what could lie in the bytes that are not accounted for', async () => {
    const size = Buffer.byteLength('env: its program');
    const { paths } = await found(
      { '/usr/bin/env': 'mine: a program!', '/app/out': '42' },
      { changes: added('/app/out'), writtenBytes: size + 2 },
    );
    expect(paths).toEqual(['/usr/bin/env']);
  });

  it('is not deceived by a second name of a changed program, which accounts for its bytes', async () => {
    const evil = 'mine: a program!';
    const { paths } = await found(
      { '/usr/bin/env': evil, '/app/notes': evil },
      { changes: added('/app/notes'), writtenBytes: evil.length },
    );
    expect(paths).toEqual(['/usr/bin/env']);
  });

  it('does not let files in a volume account for bytes, which are not counted there', async () => {
    const { paths } = await found(
      { '/usr/bin/env': 'mine: a program!', '/data/big': 'x'.repeat(500) },
      { changes: added('/data/big'), writtenBytes: 16 },
    );
    expect(paths).toEqual(['/usr/bin/env']);
  });

  it('does not take files of one size for more than one: they may be one', async () => {
    const evil = 'mine: a program!';
    const changed = { '/usr/bin/env': evil, '/app/a': 'x'.repeat(30), '/app/b': 'x'.repeat(30) };
    const { paths } = await found(changed, {
      changes: added('/app/a', '/app/b'),
      writtenBytes: 30 + evil.length,
    });
    expect(paths).toEqual(['/usr/bin/env']);
  });
});
