import { expect, test } from 'vitest';
import { contentPointer } from '../../../src/model/content-pointer.ts';

const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test('a pointer of Git LFS tells hash and size, also with lines of extensions', () => {
  const head = 'version https://git-lfs.github.com/spec/v1\n';
  const told = { by: 'Git LFS', size: 4081, digest: `sha256:${HASH}` };
  expect(contentPointer(`${head}oid sha256:${HASH}\nsize 4081\n`)).toEqual(told);
  expect(contentPointer(`${head}ext-0-foo sha256:${HASH}\noid sha256:${HASH}\nsize 4081\n`)).toEqual(told);
});

test('a pointer file or a link of git-annex tells what its key tells', () => {
  const key = `SHA256E-s57--${HASH}.csv`;
  const told = { by: 'git-annex', size: 57, digest: `sha256:${HASH}` };
  expect(contentPointer(`/annex/objects/${key}\n`)).toEqual(told);
  expect(contentPointer(`../../.git/annex/objects/2k/Vz/${key}/${key}`)).toEqual(told);
  expect(contentPointer('/annex/objects/MD5-s3--acbd18db4cc2f85cedef654fccc4a4d8\n')).toEqual({
    by: 'git-annex',
    size: 3,
  });
});

test.each([
  ['an empty text', ''],
  [
    'a text about pointers',
    `Files begin with "version https://git-lfs.github.com/spec/v1".\noid sha256:${HASH}\n`,
  ],
  [
    'a pointer with something behind it',
    `version https://git-lfs.github.com/spec/v1\noid sha256:${HASH}\nsize 1\nx\n`,
  ],
  ['a link to a file of another name', '../annex/objects.md'],
])('%s is content of its own', (_what, text) => {
  expect(contentPointer(text)).toBeUndefined();
});
