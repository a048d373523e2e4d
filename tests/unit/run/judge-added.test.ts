import { describe, expect, it } from 'vitest';
import type { PathChange } from '../../../src/engine/engine.ts';
import { judgeAdded } from '../../../src/run/judge-added.ts';
import { protectedPaths } from '../../../src/run/protected-paths.ts';
import type { FilesInput } from '../../fakes/fake-files.ts';
import { indexOf, stopped } from './image-of.ts';

const DIST = '/usr/local/lib/python3.11/dist-packages';
const CACHE = '/etc/ld.so.cache';
const index = indexOf({
  [`${DIST}/own.pth`]: 'import own\n',
  '/usr/lib/x86_64-linux-gnu/libtinfo.so.6': 'library',
  [CACHE]: 'the cache of the image',
});
const paths = protectedPaths({ index, info: { env: [], entrypoint: [], workingDir: '/app' } });
const never = new AbortController().signal;

function judge(files: FilesInput) {
  const container = stopped(files);
  const changes = [...container.files.keys()].map((path): PathChange => ({ path, kind: 'added' }));
  return judgeAdded({ container, changes, paths, index }, never);
}

/** A cache of the loader, as ldconfig writes it: header, entries, then names and paths. */
function cacheOf(...entries: readonly (readonly [string, string])[]): Buffer {
  const texts = Buffer.from(
    entries
      .flat()
      .map((text) => `${text}\0`)
      .join(''),
  );
  const start = 48 + 24 * entries.length;
  const head = Buffer.alloc(start);
  head.write('glibc-ld.so.cache1.1');
  head.writeUInt32LE(entries.length, 20);
  head.writeUInt32LE(texts.length, 24);
  let at = start;
  for (const [place, entry] of entries.entries()) {
    for (const [part, text] of entry.entries()) {
      head.writeUInt32LE(at, 48 + 24 * place + 4 + 4 * part);
      at += Buffer.byteLength(text) + 1;
    }
  }
  return Buffer.concat([head, texts]);
}

describe('judgeAdded', () => {
  it.each([
    'import os; os.system("x")\n',
    '# a comment\nimport\tos\n',
    '/opt\rimport os\n',
    '\ufeffimport os\n',
    '/opt\u2028import os',
  ])('takes a path file with code away: %j', async (text) => {
    expect((await judge({ [`${DIST}/zz.pth`]: text, '/opt/': '' })).remove).toEqual([`${DIST}/zz.pth`]);
  });

  it('keeps a path file that only names folders, as an installation for development has it', async () => {
    const files = { [`${DIST}/work.pth`]: '/app/src\n\n# import os\n', '/app/src/work.py': 'X = 1' };
    expect((await judge(files)).remove).toEqual([]);
  });

  it('takes one away that leads into an archive or nowhere', async () => {
    expect((await judge({ [`${DIST}/work.pth`]: '/app/src.zip\n', '/app/src.zip': 'PK' })).remove).toEqual([
      `${DIST}/work.pth`,
    ]);
  });

  it.each([DIST, '/app/src'])(
    'uninstalls a plugin of pytest in %s, not a package with commands',
    async (folder) => {
      const files = {
        [`${DIST}/work.pth`]: '/app/src\n',
        '/app/src/': '',
        [`${folder}/evil-1.dist-info/entry_points.txt`]: '[pytest11]\nevil = evil\n',
        [`${folder}/good-1.dist-info/entry_points.txt`]: '[console_scripts]\ngood = good:main\n',
      };
      expect((await judge(files)).uninstall).toEqual([`${folder}/evil-1.dist-info`]);
    },
  );

  it('leaves alone what plugins an agent has in an environment of its own', async () => {
    const path = '/app/.venv/lib/python3.11/site-packages/pytest_cov-5.dist-info/entry_points.txt';
    expect((await judge({ [path]: '[pytest11]\ncov = pytest_cov\n' })).uninstall).toEqual([]);
  });

  it('puts back a cache of the loader that leads a library of the image elsewhere', async () => {
    const evil = cacheOf(
      ['libown.so.1', '/usr/local/lib/libown.so.1'],
      ['libtinfo.so.6', '/opt/libtinfo.so.6'],
    );
    expect(await judge({ [CACHE]: evil })).toEqual({
      remove: [],
      uninstall: [],
      restore: [CACHE],
    });
    expect((await judge({ [CACHE]: 'no cache at all' })).restore).toEqual([CACHE]);
  });

  it('keeps a cache with new libraries beside the image’s', async () => {
    const honest = cacheOf(
      ['libown.so.1', '/opt/own/libown.so.1'],
      ['libtinfo.so.6', '/usr/lib/x86_64-linux-gnu/libtinfo.so.6'],
    );
    expect((await judge({ [CACHE]: honest })).restore).toEqual([]);
  });
});
