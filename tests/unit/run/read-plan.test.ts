import { describe, expect, it } from 'vitest';
import { type IndexEntry, makeImageIndex } from '../../../src/image/image-tree.ts';
import { readPlan } from '../../../src/run/read-plan.ts';

const MIB = 2 ** 20;
const entry = (kind: IndexEntry['kind'], size = 0): IndexEntry => ({
  kind,
  size,
  mode: 0o755,
  uid: 0,
  gid: 0,
});
const index = makeImageIndex(
  'sha256:0',
  new Map([
    ...['/usr', '/usr/bin', '/usr/lib', '/usr/share'].map((path) => [path, entry('folder')] as const),
    ...Array.from({ length: 40 }, (_, at) => [`/usr/bin/p${at}`, entry('file', MIB)] as const),
    ['/usr/lib/a.so', entry('file', 3 * MIB)],
    ['/usr/lib/model.bin', entry('file', 900 * MIB)],
    ['/usr/share/data', entry('file', 400 * MIB)],
  ]),
  [],
);
const roots = (...wanted: string[]) => readPlan(index, wanted).map(({ path }) => path);

describe('readPlan', () => {
  it('asks for a folder whole where single calls would cost more', () => {
    expect(roots(...Array.from({ length: 40 }, (_, at) => `/usr/bin/p${at}`))).toEqual(['/usr/bin']);
  });

  it('asks for single files of a folder in which much else lies', () => {
    expect(roots('/usr/bin/p1', '/usr/bin/p2', '/usr/lib/a.so')).toEqual([
      '/usr/bin/p1',
      '/usr/bin/p2',
      '/usr/lib/a.so',
    ]);
  });

  it('says how much the image has there', () => {
    expect(readPlan(index, ['/usr/lib/a.so'])).toEqual([{ path: '/usr/lib/a.so', bytes: 3 * MIB }]);
  });

  it('asks for nothing where nothing is wanted', () => {
    expect(roots()).toEqual([]);
  });
});
