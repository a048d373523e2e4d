import { describe, expect, it } from 'vitest';
import type { PathChange } from '../../../../src/engine/engine.ts';
import { type IndexEntry, makeImageIndex } from '../../../../src/image/image-tree.ts';
import { packageFolders } from '../../../../src/run/packages/package-folders.ts';
import {
  planPackageReset,
  type SnapshotFacts,
  suspects,
} from '../../../../src/run/packages/package-reset.ts';

const folder = (uid = 0): IndexEntry => ({ kind: 'folder', mode: 0o700, uid, gid: uid, size: 0 });
const file: IndexEntry = { kind: 'file', mode: 0o644, uid: 0, gid: 0, size: 1 };
/** Root's pip has a cache, uv has none; the agent's home has neither. */
const index = makeImageIndex(
  'sha256:0',
  new Map([
    ['/root', folder()],
    ['/root/.cache', folder()],
    ['/root/.cache/pip', folder()],
    ['/root/.cache/pip/http', folder()],
    ['/root/.cache/pip/http/a', file],
    ['/home', folder()],
    ['/home/agent', folder(1000)],
    ['/root/.local', folder()],
    ['/root/.local/share', folder()],
    ['/root/.local/share/uv', folder()],
    ['/root/.local/share/uv/python', folder()],
    ['/root/.local/share/uv/python/cpython-3.12', folder()],
    ['/root/.local/share/uv/python/cpython-3.12/bin', file],
  ]),
  [
    { name: 'root', uid: 0, gid: 0, home: '/root' },
    { name: 'agent', uid: 1000, gid: 1000, home: '/home/agent' },
  ],
);
const image = { index, info: { workingDir: '/workspace' } } as unknown as Parameters<
  typeof packageFolders
>[0];
const folders = packageFolders(image, {});

const change = (kind: PathChange['kind'], ...paths: string[]): PathChange[] =>
  paths.map((path) => ({ kind, path }));
const plan = (changes: PathChange[], more: Partial<SnapshotFacts> = {}) =>
  planPackageReset(folders, { changes, index, replaced: new Set(), volumes: [], ...more });
const NOTHING = { restore: [], clear: [], displaced: false };
const ROOTS = { mode: 0o755, uid: 0, gid: 0 };
const PIP = '/root/.cache/pip';
const PIP_CONTENT = [PIP, `${PIP}/http`, `${PIP}/http/a`];

describe('planPackageReset', () => {
  it('does nothing about changes elsewhere', () => {
    const honest = change('added', '/workspace/out', '/root/work', '/root/.cache/matplotlib');
    expect(plan([...change('modified', '/root', '/root/.cache'), ...honest])).toEqual(NOTHING);
  });

  it('empties a cache that the image does not have, and leaves it to the owner of the home', () => {
    const uv = '/home/agent/.cache/uv';
    const changes = [
      ...change('modified', '/home', '/home/agent'),
      ...change('added', '/home/agent/.cache', uv, `${uv}/archive-v0`, `${uv}/archive-v0/x`),
    ];
    expect(plan(changes)).toEqual({
      ...NOTHING,
      clear: [{ path: uv, folder: { mode: 0o755, uid: 1000, gid: 1000 } }],
    });
  });

  it('takes single additions out of a cache of the image, and puts back what was changed or deleted there', () => {
    const changes = [
      ...change('modified', '/root/.cache', PIP, `${PIP}/http`, `${PIP}/http/a`),
      ...change('added', `${PIP}/http/b`, `${PIP}/wheels`, `${PIP}/wheels/c`),
    ];
    expect(plan(changes)).toEqual({
      ...NOTHING,
      restore: [`${PIP}/http/a`],
      clear: [{ path: `${PIP}/http/b` }, { path: `${PIP}/wheels`, folder: ROOTS }],
    });
    expect(plan(change('deleted', `${PIP}/http`)).restore).toEqual([`${PIP}/http`, `${PIP}/http/a`]);
  });

  it.each([
    ['the cache', PIP, [PIP]],
    ['a folder above it', '/root/.cache', ['/root/.cache', PIP]],
    ['a folder in it', `${PIP}/http`, [`${PIP}/http`]],
  ])('makes %s a folder again where it became a link, with what the image has there', (_, path, cleared) => {
    const changes = change('modified', path);
    expect(suspects(folders, { changes, index })).toEqual([path]);
    const { clear, restore } = plan(changes, { replaced: new Set([path]) });
    expect(clear.map((one) => one.path)).toEqual(expect.arrayContaining(cleared));
    expect(restore).toEqual(path === `${PIP}/http` ? PIP_CONTENT.slice(1) : PIP_CONTENT);
  });

  it('does not take a folder whose mode alone was changed for a link', () => {
    const changes = change('modified', '/root');
    expect(suspects(folders, { changes, index })).toEqual(['/root']);
    expect(plan(changes)).toEqual(NOTHING);
  });

  it('makes a new folder on the way that holds nothing anew, since it may be a link', () => {
    const changes = [...change('modified', '/home/agent'), ...change('added', '/home/agent/.cache')];
    expect(plan(changes).clear.map(({ path }) => path)).toEqual([
      '/home/agent/.cache',
      '/home/agent/.cache/pip',
      '/home/agent/.cache/uv',
    ]);
  });

  it('puts back a cache that was deleted whole', () => {
    expect(plan(change('deleted', '/root/.cache'))).toEqual({ ...NOTHING, restore: PIP_CONTENT });
  });

  it('makes a cache in a volume anew whatever it holds, since nobody lists the changes there', () => {
    const { clear, restore } = plan([], { volumes: ['/root'] });
    expect(clear.map(({ path }) => path)).toEqual(['/root/.cache/pip', '/root/.cache/uv', '/root/.npm']);
    expect(restore).toEqual(PIP_CONTENT);
  });

  it('leaves what was installed by uv and sends the verifier elsewhere; the image’s own is put back', () => {
    const python = '/root/.local/share/uv/python';
    const installed = change('added', `${python}/cpython-3.13`, `${python}/cpython-3.13/bin`);
    expect(plan([...change('modified', python), ...installed])).toEqual({ ...NOTHING, displaced: true });
    expect(plan(change('added', '/home/agent/.local/share/uv/tools', '/home/agent/.local'))).toEqual({
      ...NOTHING,
      displaced: true,
    });
    expect(plan(change('modified', `${python}/cpython-3.12/bin`))).toEqual({
      ...NOTHING,
      restore: [`${python}/cpython-3.12/bin`],
    });
  });

  it('empties what apt keeps', () => {
    const changes = change('added', '/var/lib/apt/lists', '/var/lib/apt/lists/x', '/var/cache/apt');
    expect(plan(changes).clear.map(({ path }) => path)).toEqual(['/var/cache/apt', '/var/lib/apt/lists']);
  });
});

describe('packageFolders', () => {
  const paths = (variables: Record<string, string>) =>
    packageFolders(image, variables).map(({ path }) => path);

  it('knows the folders that variables name', () => {
    const found = paths({ UV_CACHE_DIR: '/srv/uv', XDG_DATA_HOME: '/srv/data', HOME: '/srv/home' });
    expect(found).toEqual(
      expect.arrayContaining(['/srv/uv', '/srv/data/uv/tools', '/srv/home/.cache/pip', '/root/.cache/uv']),
    );
  });

  it('looks for none in the folders of programs that system accounts call their home', () => {
    const accounts = [
      { name: 'bin', uid: 2, gid: 2, home: '/bin' },
      { name: 'sys', uid: 3, gid: 3, home: '/dev' },
      { name: 'www-data', uid: 33, gid: 33, home: '/var/www' },
    ];
    const entries = new Map<string, IndexEntry>([
      ['/bin', { ...file, kind: 'link', target: 'usr/bin' }],
      ...['/usr', '/usr/bin', '/dev', '/var', '/var/www'].map((path) => [path, folder()] as const),
    ]);
    const system = { ...image, index: makeImageIndex('sha256:0', entries, accounts) };
    const found = packageFolders(system, {}).map(({ path }) => path);
    expect(found.filter((path) => /^\/(usr|bin|dev)\//.test(path))).toEqual([]);
    expect(found).toContain('/var/www/.cache/uv');
  });

  it.each(['/', '/root', '/home', '/workspace', 'relative'])(
    'passes over %s, in which there is more than packages',
    (path) => {
      expect(paths({ UV_CACHE_DIR: path })).toEqual(paths({}));
    },
  );
});
