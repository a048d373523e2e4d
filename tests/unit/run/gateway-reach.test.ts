import { expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import type { Gateway, Knock } from '../../../src/gateway/gateway.ts';
import type { ReachSettings } from '../../../src/model/gateway-way.ts';
import { GatewayReach } from '../../../src/run/gateway-reach.ts';
import type { FakeProgram } from '../../fakes/fake-container.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';

const NETWORK = { id: 'n1', name: 'skillpair-r-closed', gatewayAddress: '172.30.0.1' };

/** A relay that lives until it is ended. */
const LIVING: FakeProgram = (_files, _spec, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({}));
  });

/** A gateway on port 8080 that cannot listen at the given addresses, on an engine whose relays do as `relay` says. */
async function reachWith(options: {
  readonly settings?: Partial<ReachSettings>;
  readonly elsewhere?: readonly string[];
  readonly code?: string;
  readonly relay?: FakeProgram;
}) {
  const { settings = {}, elsewhere = [], code = 'EADDRNOTAVAIL', relay = LIVING } = options;
  const listened: string[] = [];
  const places: string[] = [];
  const relayGone: AbortController[] = [];
  const heard: ((knock: Knock) => void)[] = [];
  const engine = makeFakeEngine({
    images: { base: {} },
    programs: {
      python3: (files, spec, signal) => {
        const gone = new AbortController();
        relayGone.push(gone);
        if (relay === LIVING) {
          const through = spec.command.at(-1) ?? '';
          heard.at(-1)?.({ told: { port: String(7000 + relayGone.length), through }, gone: gone.signal });
        }
        return relay(files, spec, signal);
      },
    },
  });
  const gateway: Gateway = {
    port: 8080,
    listen: async (address) => {
      if (elsewhere.includes(address)) throw Object.assign(new Error(`listen ${code}`), { code });
      listened.push(address);
    },
    admit: () => {
      throw new Error('nobody is to be admitted');
    },
    refused: () => undefined,
    answerTo: (place) => void places.push(place),
    expectKnock: () => {
      const { promise, resolve } = Promise.withResolvers<Knock>();
      heard.push(resolve);
      return { path: '/knock/word', heard: promise, [Symbol.dispose]: () => undefined };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const reach = new GatewayReach({
    engine,
    gateway,
    settings: { reach: 'auto', ...settings },
    labels: { 'skillpair.run': 'r' },
    image: async (signal) => (await engine.image('base', signal))?.id ?? '',
    leftBehind: (what) => expect.fail(what),
    stop: new AbortController().signal,
  });
  return { reach, engine, listened, places, relayGone };
}

it('is direct where the network’s address is this machine’s', async () => {
  const { reach, engine, listened } = await reachWith({});
  expect(await reach.from(NETWORK)).toMatchObject({ kind: 'direct', place: '172.30.0.1:8080' });
  expect(listened).toEqual(['172.30.0.1']);
  expect(engine.made).toEqual([]);
});

it('is a relay where it is not: one for all who ask, removed at the end', async () => {
  const { reach, engine, places } = await reachWith({ elsewhere: ['172.30.0.1'] });
  const ways = await Promise.all([reach.from(NETWORK), reach.from(NETWORK)]);
  const way = { kind: 'relay', place: '172.30.0.1:7001', through: '127.0.0.1' };
  expect(ways).toMatchObject([way, way]);
  expect(places).toEqual(['172.30.0.1:7001']);
  expect(engine.made.map(({ spec }) => spec)).toMatchObject([
    {
      name: 'skillpair-r-closed-relay-1',
      network: 'host',
      sealed: true,
      user: '65534:65534',
      hosts: { 'host.docker.internal': 'host-gateway' },
      labels: { 'skillpair.run': 'r', 'skillpair.kind': 'relay' },
      mounts: [],
    },
  ]);
  expect(engine.made[0]?.spec.command.slice(5)).toEqual([
    '172.30.0.1',
    '8080',
    '/knock/word',
    'host.docker.internal',
    '127.0.0.1',
  ]);
  await reach[Symbol.asyncDispose]();
  expect(engine.leftovers()).toEqual([]);
});

it('is a relay where the machine’s settings say so, by the address that they name', async () => {
  const { reach, engine, listened } = await reachWith({
    settings: { reach: 'relay', hostAddress: '192.0.2.10' },
  });
  expect(await reach.from(NETWORK)).toMatchObject({ kind: 'relay', through: '192.0.2.10' });
  expect(listened).toEqual(['192.0.2.10']);
  expect(engine.made[0]?.spec.hosts).toEqual({});
  await reach[Symbol.asyncDispose]();
});

it('is never a relay where the settings say direct', async () => {
  const { reach, engine } = await reachWith({ settings: { reach: 'direct' }, elsewhere: ['172.30.0.1'] });
  await expect(reach.from(NETWORK)).rejects.toMatchObject({
    reason: 'start-failed',
    phase: 'start',
    message: expect.stringContaining("take models.reach: direct out of the machine's settings"),
  });
  expect(engine.made).toEqual([]);
});

it('is no relay where the address is here and its port is taken', async () => {
  const { reach, engine } = await reachWith({ elsewhere: ['172.30.0.1'], code: 'EADDRINUSE' });
  await expect(reach.from(NETWORK)).rejects.toMatchObject({ reason: 'start-failed', phase: 'start' });
  expect(engine.made).toEqual([]);
});

it('is told as missing, with the relay’s own words and a repair, where the relay finds no gateway; nothing is left', async () => {
  const { reach, engine } = await reachWith({
    elsewhere: ['172.30.0.1'],
    relay: () => ({ exit: 4, stderr: 'host.docker.internal:8080: refused\n' }),
  });
  await expect(reach.from(NETWORK)).rejects.toMatchObject({
    reason: 'start-failed',
    message:
      'containers on skillpair-r-closed cannot reach the model gateway:\nhost.docker.internal:8080: refused\nsay in .skillpair/machine.yaml by what address the engine’s host reaches this machine: models: { hostAddress: 192.0.2.10 }',
  });
  expect(engine.leftovers()).toEqual([]);
});

it('is opened anew once the relay is lost, and who uses it is told', async () => {
  const { reach, engine, relayGone } = await reachWith({ elsewhere: ['172.30.0.1'] });
  const first = await reach.from(NETWORK);
  expect(first.lost.aborted).toBe(false);
  relayGone[0]?.abort();
  expect(first.lost.aborted).toBe(true);
  expect(await reach.from(NETWORK)).toMatchObject({ kind: 'relay', place: '172.30.0.1:7002' });
  await reach[Symbol.asyncDispose]();
  expect(engine.leftovers()).toEqual([]);
});

it('passes on that the engine was lost as what it is', async () => {
  const { reach, engine } = await reachWith({ elsewhere: ['172.30.0.1'] });
  engine.failNext('createContainer', new EngineError('create container', 'unreachable', 'nobody answers'));
  await expect(reach.from(NETWORK)).rejects.toMatchObject({ kind: 'unreachable' });
});
