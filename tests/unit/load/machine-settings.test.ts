import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadMachineSettings } from '../../../src/load/machine-settings.ts';
import { scratchFolder } from './support/scratch-project.ts';

it('are empty where the file is absent', async () => {
  await using files = await scratchFolder();
  expect(await loadMachineSettings(join(files.dir, 'none.yaml'))).toEqual({
    ok: true,
    value: {
      substitute: {},
      trustCa: 'none',
      buildTimeFactor: 1,
      models: { reach: 'auto' },
      packageCache: true,
    },
  });
});

it('are read from the file', async () => {
  await using files = await scratchFolder({
    'm.yaml':
      'substitute: { "ubuntu:24.04": lab }\ntrustCa: host\nbuildTimeFactor: 2.5\npackageCache: false\nmodels: { reach: relay, hostAddress: 192.0.2.10 }\n',
  });
  expect(await loadMachineSettings(join(files.dir, 'm.yaml'))).toEqual({
    ok: true,
    value: {
      substitute: { 'ubuntu:24.04': 'lab' },
      trustCa: 'host',
      buildTimeFactor: 2.5,
      models: { reach: 'relay', hostAddress: '192.0.2.10' },
      packageCache: false,
    },
  });
});

it('are strict', async () => {
  await using files = await scratchFolder({ 'm.yaml': 'substitutes: {}\ntrustCa: maybe\n' });
  const loaded = await loadMachineSettings(join(files.dir, 'm.yaml'));
  expect(
    loaded.ok ? [] : loaded.error.map(({ where, message }) => `${where?.line}:${where?.column} ${message}`),
  ).toEqual(['1:1 unknown key "substitutes"', '2:10 trustCa is "maybe", which is none of: none, host']);
});
