import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import { RunNetworks } from '../../../src/run/run-networks.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';

const LABELS = { 'skillpair.run': 'r' };

function networksOn(engine = makeFakeEngine(), patienceMs = 60_000) {
  const said: string[] = [];
  const leftBehind: string[] = [];
  const stop = new AbortController();
  const networks = new RunNetworks(engine, {
    namePrefix: 'skillpair-r',
    labels: LABELS,
    say: (message) => said.push(message),
    leftBehind: (what) => leftBehind.push(what),
    stop: stop.signal,
    pauseMs: 1,
    patienceMs,
  });
  return { engine, networks, said, leftBehind, stop };
}
const usedUp = () => new EngineError('create network', 'no-addresses', 'all pools are used up');

describe('the networks of a run', () => {
  it('are made once for all who ask, one of each kind, and removed at the end', async () => {
    const { engine, networks } = networksOn();
    const all = await Promise.all([networks.get('closed'), networks.get('closed'), networks.get('open')]);
    expect(all.map(({ name }) => name)).toEqual([
      'skillpair-r-closed',
      'skillpair-r-closed',
      'skillpair-r-open',
    ]);
    expect(engine.callsOf('createNetwork')).toEqual(['skillpair-r-closed', 'skillpair-r-open']);
    await networks[Symbol.asyncDispose]();
    expect(engine.networks.size).toBe(0);
  });

  it('are waited for while the engine has no address to give, and the reason is said once', async () => {
    const { engine, networks, said } = networksOn();
    for (let time = 0; time < 3; time++) engine.failNext('createNetwork', usedUp());
    expect((await networks.get('closed')).name).toBe('skillpair-r-closed');
    expect(engine.callsOf('createNetwork')).toHaveLength(4);
    expect(said).toEqual([
      'create network: all pools are used up: trials wait until a network is removed (docker network prune)',
    ]);
  });

  it('are not waited for without end', async () => {
    const { engine, networks } = networksOn(undefined, 0);
    for (let time = 0; time < 50; time++) engine.failNext('createNetwork', usedUp());
    await expect(networks.get('closed')).rejects.toMatchObject({ kind: 'no-addresses' });
  });

  it('are not waited for once the run is stopped', async () => {
    const { engine, networks, stop } = networksOn();
    engine.failNext('createNetwork', usedUp());
    const waiting = networks.get('closed');
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('can be asked for again after another fault', async () => {
    const { engine, networks } = networksOn();
    engine.failNext('createNetwork', new EngineError('create network', 'unreachable', 'nobody'));
    await expect(networks.get('open')).rejects.toMatchObject({ kind: 'unreachable' });
    expect((await networks.get('open')).name).toBe('skillpair-r-open');
  });

  it('that cannot be removed are named', async () => {
    const { engine, networks, leftBehind } = networksOn();
    await networks.get('closed');
    engine.failNext('remove', new EngineError('remove network', 'other', 'has active endpoints'));
    await networks[Symbol.asyncDispose]();
    expect(leftBehind).toEqual(['network skillpair-r-closed: remove network: has active endpoints']);
  });
});
