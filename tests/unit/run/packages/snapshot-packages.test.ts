import { expect, it } from 'vitest';
import { readTar } from '../../../../src/engine/archive.ts';
import type { Container } from '../../../../src/engine/engine.ts';
import { clearPackages } from '../../../../src/run/packages/snapshot-packages.ts';

it('takes files away by links to nowhere, locks by empty files, since apt opens no lock that is a link', async () => {
  const seen: string[] = [];
  const put: Container['put'] = async (tar) => {
    if (typeof tar !== 'function') throw new Error('a tar that can be sent again was expected');
    for await (const { path, kind, size } of readTar(tar())) seen.push(`${kind} ${path} ${size}`);
  };
  const lists = '/var/lib/apt/lists';
  const paths = [`${lists}/lock`, '/root/.cache/uv/.lock', `${lists}/own_Packages`];
  const folder = { path: `${lists}/partial`, folder: { mode: 0o700, uid: 42, gid: 0 } };
  const reset = { restore: [], clear: [...paths.map((path) => ({ path })), folder], displaced: false };
  const packages = { reset, caches: [lists], env: {}, ownFolder: '/opt/own' };
  const notices = await clearPackages({ put } as Container, packages, new AbortController().signal);
  expect(seen).toEqual([
    'file var/lib/apt/lists/lock 0',
    'file root/.cache/uv/.lock 0',
    'link var/lib/apt/lists/own_Packages 0',
    'file var/lib/apt/lists/partial 0',
    'folder var/lib/apt/lists/partial 0',
  ]);
  expect(notices).toMatchObject([{ code: 'packages-emptied', paths: [lists] }]);
});
