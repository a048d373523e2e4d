import { describe, expect, it } from 'vitest';
import type { PathChange } from '../../../src/engine/engine.ts';
import { type IndexEntry, makeImageIndex } from '../../../src/image/image-tree.ts';
import { planRestoration } from '../../../src/run/restoration.ts';

const change = (kind: PathChange['kind'], ...paths: string[]): PathChange[] =>
  paths.map((path) => ({ kind, path }));

const DIST = '/usr/local/lib/python3.11/dist-packages';
const entry = (kind: IndexEntry['kind']): IndexEntry => ({ kind, mode: 0o755, uid: 0, gid: 0, size: 1 });
const folders = [
  ...['/usr', '/usr/local', '/usr/local/lib', '/usr/local/lib/python3.11', '/usr/local/bin', '/usr/bin'],
  ...['/usr/lib', '/usr/lib/x86_64-linux-gnu', '/usr/lib/python3.11', '/usr/lib/python3'],
  ...['/usr/lib/python3/dist-packages', '/usr/lib/python3/dist-packages/attr', '/app', '/app/venv'],
  ...['/workspace/venv', '/workspace/venv/lib', '/workspace/venv/lib/python3.11'],
  ...['/app/venv/bin', '/app/venv/lib', '/app/venv/lib/python3.11', '/app/venv/lib/python3.11/site-packages'],
  ...['/opt', '/opt/venv', '/opt/venv/bin', DIST, `${DIST}/numpy`, `${DIST}/numpy/core`],
];
const MULTIARCH = '/usr/lib/x86_64-linux-gnu';
const files = [
  '/usr/bin/python3',
  '/entry.sh',
  `${MULTIARCH}/libtinfo.so.6`,
  '/usr/lib/python3.11/argparse.py',
  '/usr/lib/python3/dist-packages/attr/__init__.py',
  '/app/venv/pyvenv.cfg',
  '/workspace/venv/pyvenv.cfg',
  '/app/venv/bin/python',
  '/app/venv/lib/python3.11/site-packages/six.py',
  '/usr/bin/pip3',
  '/usr/bin/env',
  `${DIST}/numpy/__init__.py`,
  `${DIST}/numpy/core/multiarray.py`,
];
const index = makeImageIndex(
  'sha256:0',
  new Map([
    ...folders.map((path) => [path, entry('folder')] as const),
    ...files.map((path) => [path, entry('file')] as const),
  ]),
  [],
);
const info = {
  entrypoint: ['/entry.sh'],
  workingDir: '/workspace',
  env: ['PATH=/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
};
const NOTHING = { restore: [], hidden: [], remove: [], uninstall: [], empty: [], intruded: [] };

const plan = (changes: PathChange[], injected: string[] = []) =>
  planRestoration(changes, {
    image: { index, info } as unknown as Parameters<typeof planRestoration>[1]['image'],
    injected: new Set(injected),
  });

describe('planRestoration', () => {
  it.each([
    '/usr/bin/python3.11',
    '/bin/bash',
    '/opt/venv/bin/python',
    '/opt/venv/lib/python3.11/site-packages/six.py',
    '/usr/lib/python3.11/json/decoder.py',
    '/usr/local/lib/python3.11/dist-packages/pytest/__init__.py',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
    '/root/.bashrc',
    '/etc/profile',
    `${MULTIARCH}/libtinfo.so.6`,
    '/usr/lib/git-core/git',
    '/usr/libexec/helper',
    '/usr/share/perl5/Debconf/Config.pm',
    '/etc/ld.so.conf.d/libc.conf',
    '/var/lib/dpkg/info/libc6.postinst',
    '/entry.sh',
    '/app/venv/bin/python',
    '/app/venv/lib/python3.11/site-packages/six.py',
  ])('puts back %s when the agent changed or deleted it', (path) => {
    expect(plan(change('modified', path)).restore).toEqual([path]);
    expect(plan(change('deleted', path)).restore).toEqual([path]);
  });

  it('puts back all that was in a deleted folder, which the engine names alone', () => {
    expect(plan(change('deleted', `${DIST}/numpy`)).restore).toEqual([
      `${DIST}/numpy`,
      `${DIST}/numpy/__init__.py`,
      `${DIST}/numpy/core`,
      `${DIST}/numpy/core/multiarray.py`,
    ]);
  });

  it('puts back a whole folder of programs that a link may stand for: the engine then lists the folder alone', () => {
    expect(plan(change('modified', '/usr/bin')).restore).toEqual([
      '/usr/bin',
      '/usr/bin/env',
      '/usr/bin/pip3',
      '/usr/bin/python3',
    ]);
    expect(plan(change('modified', '/usr/bin', '/usr/bin/env')).restore).toEqual(['/usr/bin/env']);
  });

  it('puts back a folder of a library in whose place a link may stand', () => {
    const folder = '/usr/lib/python3/dist-packages/attr';
    expect(plan(change('modified', folder)).restore).toEqual([folder, `${folder}/__init__.py`]);
  });

  it('puts back what is trusted of a folder that was deleted, and no work that lay beside it', () => {
    expect(plan(change('deleted', '/app')).restore).toEqual([
      '/app',
      '/app/venv',
      '/app/venv/bin',
      '/app/venv/bin/python',
      '/app/venv/lib',
      '/app/venv/lib/python3.11',
      '/app/venv/lib/python3.11/site-packages',
      '/app/venv/lib/python3.11/site-packages/six.py',
      '/app/venv/pyvenv.cfg',
    ]);
  });

  it('puts back what a commit would take for deleted, by the name of a file beside it', () => {
    expect(plan(change('added', '/usr/bin/.wh.env')).restore).toEqual(['/usr/bin/env']);
    expect(plan(change('added', '/usr/bin/.wh..wh..opq')).restore).toEqual([
      '/usr/bin',
      '/usr/bin/env',
      '/usr/bin/pip3',
      '/usr/bin/python3',
    ]);
  });

  it('uninstalls what hides a package of the image in a folder that is read earlier', () => {
    const user = '/root/.local/lib/python3.11/site-packages/attr';
    const local = `${DIST}/attr`;
    expect(plan(change('added', user, local, `${local}/__init__.py`)).uninstall).toEqual([user, local]);
  });

  it('leaves a folder alone that is changed only because something in it is', () => {
    const changes = [...change('modified', DIST), ...change('added', `${DIST}/pandas`)];
    expect(plan(changes)).toEqual(NOTHING);
  });

  it.each([
    '/usr/lib/python3/dist-packages/sitecustomize.py',
    '/root/.local/lib/python3.11/site-packages/usercustomize.py',
    '/etc/ld.so.preload',
    '/root/.config/pip/pip.conf',
    '/root/.curlrc',
    '/etc/pip.conf',
    '/conftest.py',
    '/pytest.ini',
    '/usr/local/bin/python3',
    '/usr/local/bin/pytest',
    '/root/.local/bin/uvx',
    '/usr/lib/python3.11/__pycache__/json.cpython-311.pyc',
    '/usr/lib/python3.11/argparse',
    '/usr/lib/python3.11/argparse.cpython-311-x86_64-linux-gnu.so',
    '/usr/lib/python311.zip',
    '/usr/bin/pyvenv.cfg',
    '/usr/bin/pybuilddir.txt',
    '/usr/local/lib/libtinfo.so.6',
    `${MULTIARCH}/glibc-hwcaps/x86-64-v3/libtinfo.so.6`,
    '/var/lib/dpkg/info/evil.triggers',
    '/root/.npmrc',
    '/root/.bash_aliases',
    '/etc/dpkg/dpkg.cfg.d/hook',
  ])('takes %s away when the agent added it', (path) => {
    expect(plan(change('added', path)).remove).toEqual([path]);
  });

  it.each([
    ['/usr/local/bin/env', true],
    ['/root/.local/bin/env', true],
    ['/opt/venv/bin/env', true],
    ['/usr/sbin/env', true],
    ['/sbin/env', false],
    ['/bin/env', false],
    ['/usr/local/bin/jq', false],
    ['/app/bin/env', false],
  ])(
    'takes %s as a stand-in for the image’s /usr/bin/env only where it would be found first: %s',
    (path, is) => {
      expect(plan(change('added', path)).remove).toEqual(is ? [path] : []);
    },
  );

  it.each([
    '/app/conftest.py',
    '/root/pyproject.toml',
    '/usr/bin/jq',
    '/usr/local/lib/python3.11/dist-packages/pandas/__init__.py',
    '/usr/local/bin/flask',
    '/usr/local/bin/node',
    '/etc/ld.so.cache',
    '/app/out/result.json',
    '/usr/local/lib/libown.so.1',
    `${MULTIARCH}/libxml2.so.2`,
    '/etc/ld.so.conf.d/own.conf',
    '/app/.npmrc',
    '/usr/lib/python3.11/newmodule.py',
    '/home/agent/project/.venv/pyvenv.cfg',
    '/opt/venv/lib/python3.11/site-packages/attr',
  ])('leaves honest work alone: %s', (path) => {
    expect(plan(change('added', path))).toEqual(NOTHING);
  });

  it('leaves an environment alone that lies in the working directory: its packages may be the work', () => {
    const path = '/workspace/venv/lib/python3.11/site-packages/six.py';
    expect(plan(change('modified', path, '/workspace/venv/bin/python'))).toEqual(NOTHING);
  });

  it('keeps bytecode of modules that were installed with it', () => {
    const dir = '/usr/local/lib/python3.11/dist-packages/yaml';
    const installed = change('added', `${dir}/loader.py`, `${dir}/__pycache__/loader.cpython-311.pyc`);
    expect(plan(installed).remove).toEqual([]);
  });

  it('uninstalls whole what a verifier installs itself, so that it is not taken for installed without its programs', () => {
    const installed = change(
      'added',
      '/usr/local/bin/pytest',
      `${DIST}/_pytest`,
      `${DIST}/_pytest/main.py`,
      `${DIST}/_pytest/__pycache__/compat.cpython-311.pyc`,
      `${DIST}/packaging`,
      `${DIST}/pluggy-1.6.0.dist-info`,
      `${DIST}/py.py`,
      `${DIST}/pytest`,
      `${DIST}/pytest-8.4.1.dist-info`,
      `${DIST}/pytest_json_ctrf-0.3.5.dist-info`,
    );
    const found = plan(installed);
    expect(found.remove).toEqual(['/usr/local/bin/pytest']);
    expect(found.uninstall).toEqual([
      `${DIST}/_pytest`,
      `${DIST}/pluggy-1.6.0.dist-info`,
      `${DIST}/py.py`,
      `${DIST}/pytest`,
      `${DIST}/pytest-8.4.1.dist-info`,
      `${DIST}/pytest_json_ctrf-0.3.5.dist-info`,
    ]);
  });

  it('undoes an upgrade with its metadata: one distribution, one version', () => {
    const upgraded = [
      ...change('deleted', `${DIST}/Zope.Interface-5.0.dist-info`, `${DIST}/numpy-1.26.4.dist-info`),
      ...change('added', `${DIST}/zope_interface-6.0.dist-info`, `${DIST}/numpy-2.1.0.dist-info`),
      ...change('added', `${DIST}/numpy_financial-1.0.0.dist-info`),
    ];
    expect(plan(upgraded).uninstall).toEqual([
      `${DIST}/numpy-2.1.0.dist-info`,
      `${DIST}/zope_interface-6.0.dist-info`,
    ]);
  });

  it('empties the verifier’s own folders whole instead of judging what is in them', () => {
    const planted = change('added', '/logs/verifier/reward.txt', '/tests/conftest.py', '/tests');
    expect(plan(planted)).toEqual({
      ...NOTHING,
      empty: ['/tests', '/logs/verifier'],
      intruded: ['/tests', '/logs/verifier'],
    });
  });

  it('does not tell the agent’s writing from the solution that was injected by its folder alone', () => {
    const solution = change('added', '/solution', '/solution/solve.sh');
    const injected = ['/solution', '/solution/solve.sh'];
    expect(plan(solution, injected)).toEqual({ ...NOTHING, empty: ['/solution'] });
    const more = [...solution, ...change('added', '/solution/answer.txt')];
    expect(plan(more, injected).intruded).toEqual(['/solution']);
  });
});
