import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { thisProcess } from '../../../../src/base/lock-file.ts';
import { cleanEngine } from '../../../../src/cli/commands/clean.ts';
import type { Environment } from '../../../../src/cli/environment.ts';
import { LABEL, ownerLabels } from '../../../../src/engine/engine.ts';
import { makeFakeEngine } from '../../../fakes/fake-engine.ts';

const ours = { [LABEL.managed]: '1' };

function engineWithRunAtWork() {
  const engine = makeFakeEngine({
    images: { 'skillpair/task:1': { labels: { ...ours, [LABEL.kind]: 'task-image' } } },
  });
  engine.networks.set('skillpair-living', { ...ours, ...ownerLabels(thisProcess()) });
  const dead = { ...thisProcess(), pid: 2 ** 22 + 1 };
  engine.networks.set('skillpair-dead', { ...ours, ...ownerLabels(dead) });
  return engine;
}

async function clean(flags: { readonly dryRun: boolean; readonly json?: boolean }) {
  const said = { out: '', err: '' };
  const output = (to: 'out' | 'err') => ({
    stream: new Writable({
      write: (chunk, _encoding, done) => {
        said[to] += String(chunk);
        done();
      },
    }),
    isTty: false,
    columns: 80,
  });
  const environment: Environment = {
    cwd: '/',
    env: {},
    stdin: { stream: Readable.from([]) },
    stdout: output('out'),
    stderr: output('err'),
    now: () => new Date(0),
    onSignal: () => () => undefined,
  };
  const engine = engineWithRunAtWork();
  const done = cleanEngine(environment, engine, { images: true, json: false, ...flags });
  return { code: await done, said, engine };
}

it('shows what would go and what stays for a run at work, and removes nothing', async () => {
  const { code, said, engine } = await clean({ dryRun: true });
  expect(code).toBe(0);
  expect(said.out).toBe(
    'network skillpair-dead\nimage skillpair/task:1 (stays: a run is at work)\n1 object would be removed\n',
  );
  expect(said.err).toContain(`a run is at work (process ${process.pid} on `);
  expect([...engine.networks.keys()]).toEqual(['skillpair-living', 'skillpair-dead']);
  const { said: asJson } = await clean({ dryRun: true, json: true });
  expect(JSON.parse(asJson.out)).toMatchObject({
    objects: [{ name: 'skillpair-dead' }],
    needed: { pid: process.pid },
    inUse: [{ name: 'skillpair/task:1' }],
  });
});

it('refuses to take the images of a run at work', async () => {
  await expect(clean({ dryRun: false })).rejects.toThrow(`process ${process.pid}`);
});
