import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Container, EngineError, type PathChange } from '../../../src/engine/engine.ts';
import type { Notice } from '../../../src/model/attempt.ts';
import { listChanges } from '../../../src/run/list-changes.ts';
import { UnverifiableWork } from '../../../src/run/unverifiable-work.ts';
import { untar } from '../../fakes/fake-files.ts';
import { indexOf, stopped } from './image-of.ts';

const never = new AbortController().signal;
const index = indexOf({ '/opt/tools/ls': 'the program', '/opt/tools/x': 'x', '/srv/data/a': 'a' });
const NAME = 'd'.repeat(200);
const deep = (top: string) => `${top}${`/${NAME}`.repeat(30)}`;
const tooDeep = (path: string) =>
  new EngineError('list changes', 'too-deep', `lstat /var/lib/x/merged${path}: file name too long`);

/** Fails to list while any of the paths is there; a put takes one away, with what is below it. */
function nested(...paths: string[]) {
  const left = new Set(paths);
  const cut: string[] = [];
  const container: Pick<Container, 'changes' | 'get' | 'put'> = {
    get: async () => undefined,
    changes: async () => {
      const [first] = left;
      if (first !== undefined) throw tooDeep(first);
      return [];
    },
    put: async (tar) => {
      const [[path = ''] = []] = await untar(tarStream(tar));
      cut.push(path);
      for (const one of [...left].filter((other) => `${other}/`.startsWith(`${path}/`))) left.delete(one);
    },
  };
  return { container, cut };
}

function tarStream(tar: Parameters<Container['put']>[0]): Readable {
  if (tar instanceof Uint8Array) return Readable.from([tar]);
  return typeof tar === 'function' ? tar() : tar;
}

describe('listChanges', () => {
  it('cuts off a branch that is too deep to be listed, as far out as may be, and says so', async () => {
    const { container, cut } = nested(deep('/srv/data'));
    const notices: Notice[] = [];
    const from = { index, limitBytes: 1000, volumes: [], notice: (one: Notice) => notices.push(one) };
    expect(await listChanges(container, from, never)).toEqual([]);
    expect(cut).toEqual([`/srv/data${`/${NAME}`.repeat(10)}`]);
    expect(notices).toMatchObject([{ code: 'cut-off', paths: [expect.stringMatching(/^\/srv\/data\/d/)] }]);
  });

  it('cuts nearer to the root each time, never into the image, and gives up in the end', async () => {
    const many = Array.from({ length: 12 }, (_, at) => deep(`/srv/data/${at}`));
    const { container, cut } = nested(...many);
    const from = { index, limitBytes: 1000, volumes: [], notice: () => undefined };
    const error = await listChanges(container, from, never).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnverifiableWork);
    expect(cut).toHaveLength(8);
    expect(cut.at(-1)).toBe('/srv/data/7');
    expect(cut.every((path) => path.startsWith('/srv/data/'))).toBe(true);
  });

  it('passes every other failure on', async () => {
    const lost = new EngineError('list changes', 'unreachable', 'nobody answers');
    const container = { ...nested().container, changes: () => Promise.reject(lost) };
    const from = { index, limitBytes: 1000, volumes: [], notice: () => undefined };
    await expect(listChanges(container, from, never)).rejects.toBe(lost);
  });

  it('adds what differs in the volumes of the image, which the engine leaves out', async () => {
    const { get } = stopped({ '/opt/tools/ls': 'another one', '/opt/tools/sh': 'new' });
    const listed: PathChange[] = [{ path: '/srv/data/a', kind: 'modified' }];
    const container = { ...nested().container, get, changes: async () => listed };
    const from = { index, limitBytes: 1000, volumes: ['/opt/tools/'], notice: () => undefined };
    expect(await listChanges(container, from, never)).toEqual([
      ...listed,
      { path: '/opt/tools/ls', kind: 'modified' },
      { path: '/opt/tools/sh', kind: 'added' },
      { path: '/opt/tools/x', kind: 'deleted' },
    ]);
  });

  it('refuses a volume that holds more than the storage that was granted', async () => {
    const { get } = stopped({ '/opt/tools/sh': 'x'.repeat(1001) });
    const container = { ...nested().container, get };
    const from = { index, limitBytes: 1000, volumes: ['/opt/tools/'], notice: () => undefined };
    const error = await listChanges(container, from, never).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'too-large' });
    expect(String(error)).toContain('beyond 1000 bytes');
  });
});
