import { describe, expect, it } from 'vitest';
import type { PathChange } from '../../../src/engine/engine.ts';
import { planRestoration } from '../../../src/run/restoration.ts';

const change = (kind: PathChange['kind'], ...paths: string[]): PathChange[] =>
  paths.map((path) => ({ kind, path }));

describe('planRestoration', () => {
  it.each([
    '/usr/bin/python3.11',
    '/bin/bash',
    '/usr/lib/python3.11/json/decoder.py',
    '/usr/local/lib/python3.11/dist-packages/pytest/__init__.py',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
    '/root/.bashrc',
    '/etc/profile',
  ])('puts back %s when the agent changed or deleted it', (path) => {
    expect(planRestoration(change('modified', path)).restore).toEqual([path]);
    expect(planRestoration(change('deleted', path)).restore).toEqual([path]);
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
    '/root/.local/bin/uvx',
    '/usr/lib/python3.11/__pycache__/json.cpython-311.pyc',
  ])('empties %s when the agent added it', (path) => {
    expect(planRestoration(change('added', path)).neutralise).toEqual([path]);
  });

  it.each([
    '/app/conftest.py',
    '/root/pyproject.toml',
    '/usr/bin/jq',
    '/usr/local/lib/python3.11/dist-packages/pandas/__init__.py',
    '/usr/local/bin/flask',
    '/etc/ld.so.cache',
    '/app/out/result.json',
  ])('leaves honest work alone: %s', (path) => {
    expect(planRestoration(change('added', path))).toEqual({ restore: [], neutralise: [], empty: [] });
  });

  it.each([
    '/usr/lib/python3.11',
    '/usr/lib/python3.11/json',
    '/usr/lib/x86_64-linux-gnu',
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
    '/usr',
  ])('puts back the folder %s when it was deleted or a link stands in its place', (path) => {
    expect(planRestoration(change('deleted', path)).restore).toEqual([path]);
    expect(planRestoration(change('modified', path)).restore).toEqual([path]);
  });

  it('leaves alone a folder that is named only for what changed in it', () => {
    const changes = [
      ...change('modified', '/usr', '/usr/local', '/usr/local/bin', '/usr/lib/python3'),
      ...change('added', '/usr/local/bin/flask', '/usr/lib/python3/x'),
    ];
    expect(planRestoration(changes)).toEqual({ restore: [], neutralise: [], empty: [] });
  });

  it('keeps bytecode of modules that were installed with it', () => {
    const dir = '/usr/local/lib/python3.11/dist-packages/yaml';
    const installed = change('added', `${dir}/loader.py`, `${dir}/__pycache__/loader.cpython-311.pyc`);
    expect(planRestoration(installed).neutralise).toEqual([]);
  });

  it('empties the verifier’s own folders whole instead of judging what is in them', () => {
    const planted = change('added', '/logs/verifier/reward.txt', '/tests/conftest.py', '/tests');
    expect(planRestoration(planted)).toEqual({
      restore: [],
      neutralise: [],
      empty: ['/tests', '/logs/verifier'],
    });
  });
});
