import { expect, it } from 'vitest';
import { digestBytes } from '../../../src/base/digest.ts';
import { answersInImage } from '../../../src/image/answers-in-image.ts';
import { type IndexEntry, makeImageIndex } from '../../../src/image/image-tree.ts';

const entry = (text: string): IndexEntry => ({
  kind: 'file',
  mode: 0o644,
  uid: 0,
  gid: 0,
  size: text.length,
  digest: digestBytes(text),
});
const answer = 'expected,values\n1,2\n3,4\n5,6\n7,8\n9,10\n';
const shared = 'input,values\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n';
const hidden = [answer, shared, '1\n'].map((text, place) => ({
  path: `tests/${place}.csv`,
  size: text.length,
  digest: digestBytes(text),
}));

it('names files of tests and solution that any agent could read in the image', () => {
  const index = makeImageIndex(
    'sha256:1',
    new Map([
      ['/opt/cache/x', entry(answer)],
      ['/workspace/data/in.csv', entry(shared)],
      ['/opt/one', entry('1\n')],
      ['/etc/passwd', entry('root:x:0:0:root:/root:/bin/bash\n')],
    ]),
    [],
  );
  expect(answersInImage(index, hidden, new Set([digestBytes(shared)]))).toEqual([
    { containerPath: '/opt/cache/x', path: 'tests/0.csv' },
  ]);
});

it('says nothing of an image that has none of them', () => {
  const index = makeImageIndex(
    'sha256:1',
    new Map([['/workspace/in', entry('other text of the same kind\n')]]),
    [],
  );
  expect(answersInImage(index, hidden, new Set())).toEqual([]);
});
