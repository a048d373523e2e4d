import { describe, expect, it } from 'vitest';
import { packTar } from '../../../../src/engine/archive.ts';
import { connectEngine } from '../../../../src/engine/docker/connect.ts';
import type { ContainerSpec } from '../../../../src/engine/engine.ts';
import { type DockerSocket, makeDockerSocket, type SocketScript } from '../../../fakes/docker-socket.ts';

const never = new AbortController().signal;
const SPEC: ContainerSpec = {
  name: 'skillpair-one',
  image: 'sha256:1',
  command: ['true'],
  env: {},
  labels: { 'skillpair.run': 'r' },
  cpus: 1,
  memoryBytes: 1,
  pids: 1,
  network: 'none',
  mounts: [],
};

/** One script after the other; the last stays. */
function inTurn(...scripts: readonly SocketScript[]): SocketScript & { readonly times: () => number } {
  let times = 0;
  const turn: SocketScript = (answer, request) =>
    scripts[Math.min(times++, scripts.length - 1)]?.(answer, request);
  return Object.assign(turn, { times: () => times });
}
const refuses: SocketScript = ({ fail }) => fail(500, 'come back later');
const breaks: SocketScript = ({ hangUp }) => hangUp();
const json =
  (value: unknown): SocketScript =>
  (answer) =>
    answer.json(value);

async function engineWith(scripts: Readonly<Record<string, SocketScript>>) {
  const socket: DockerSocket = await makeDockerSocket(scripts);
  const told: string[] = [];
  const engine = await connectEngine({
    env: { DOCKER_HOST: socket.address },
    tell: (message) => told.push(message),
  });
  return { engine, told, socket, [Symbol.asyncDispose]: () => socket[Symbol.asyncDispose]() };
}

describe('a call to an engine that is not at its best', () => {
  it('is made again where it was refused, which is told with the engine’s own reason', async () => {
    const networks = inTurn(refuses, refuses, json([{}, {}]));
    await using bench = await engineWith({ 'GET /networks': networks });
    expect(await bench.engine.networkCount(never)).toBe(2);
    expect(networks.times()).toBe(3);
    expect(bench.told).toEqual([
      'list networks: come back later; trying again',
      'list networks: come back later; trying again',
    ]);
  });

  it('is made four times at most', async () => {
    const networks = inTurn(refuses);
    await using bench = await engineWith({ 'GET /networks': networks });
    await expect(bench.engine.networkCount(never)).rejects.toMatchObject({ kind: 'other' });
    expect(networks.times()).toBe(4);
  });

  it.each<[string, SocketScript]>([
    ['a full disk', ({ fail }) => fail(500, 'write /x: no space left on device')],
    ['a wrong request', ({ fail }) => fail(400, 'no such thing')],
    ['what is not there', ({ fail }) => fail(404, 'no such thing')],
  ])('is not made again where asking again is no help: %s', async (_what, script) => {
    const networks = inTurn(script);
    await using bench = await engineWith({ 'GET /networks': networks });
    await expect(bench.engine.networkCount(never)).rejects.toThrow();
    expect([networks.times(), bench.told]).toEqual([1, []]);
  });

  it('is made again where its connection broke and the engine is there', async () => {
    const networks = inTurn(breaks, json([]));
    await using bench = await engineWith({ 'GET /networks': networks });
    expect(await bench.engine.networkCount(never)).toBe(0);
  });

  it('is not made again where its connection broke and the engine is not there at once: it may have been restarted', async () => {
    const networks = inTurn(breaks, json([]));
    await using bench = await engineWith({
      'GET /_ping': inTurn(json('OK'), breaks),
      'GET /networks': networks,
    });
    await expect(bench.engine.networkCount(never)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(networks.times()).toBe(1);
  });

  it('ends at once with its caller', async () => {
    const stop = new AbortController();
    const networks = inTurn(({ fail }) => {
      fail(500, 'come back later');
      setImmediate(() => stop.abort());
    });
    await using bench = await engineWith({ 'GET /networks': networks });
    await expect(bench.engine.networkCount(stop.signal)).rejects.toThrow();
    expect(networks.times()).toBe(1);
  });
});

describe('what may be there although nobody was told', () => {
  const found = json({ Id: 'c0', Config: { Labels: SPEC.labels } });

  it('a container whose answer got lost is removed before the next is made', async () => {
    const create = inTurn(breaks, json({ Id: 'c1' }));
    await using bench = await engineWith({
      'POST /containers/create': create,
      'GET /containers/skillpair-one/json': found,
      'DELETE /containers/c0': json(null),
    });
    expect((await bench.engine.createContainer(SPEC, never)).id).toBe('c1');
    expect(bench.socket.requests.filter((request) => /DELETE|create/.test(request))).toEqual([
      'POST /containers/create',
      'DELETE /containers/c0',
      'POST /containers/create',
    ]);
  });

  it('a network whose answer got lost is removed before the next is made; one of the name without the labels is not', async () => {
    const network = { Name: 'skillpair-net', Labels: { 'skillpair.run': 'r' } };
    await using bench = await engineWith({
      'POST /networks/create': inTurn(breaks, json({ Id: 'n1' })),
      'GET /containers/json': json([]),
      'GET /images/json': json([]),
      'GET /volumes': json({ Volumes: null }),
      'GET /networks': json([
        { ...network, Id: 'n0' },
        { ...network, Id: 'other', Name: 'somebody' },
      ]),
      'DELETE /networks/n0': json(null),
      'GET /networks/n1': json({ ...network, Id: 'n1', IPAM: { Config: [{ Gateway: '172.20.0.1' }] } }),
    });
    const spec = { name: 'skillpair-net', internal: true, labels: { 'skillpair.run': 'r' } };
    expect(await bench.engine.createNetwork(spec, never)).toMatchObject({ id: 'n1' });
    expect(bench.socket.requests.filter((request) => request.startsWith('DELETE'))).toEqual([
      'DELETE /networks/n0',
    ]);
  });

  it('a tar that can be made again is sent again, whole; one that cannot is not', async () => {
    const bodies: number[] = [];
    const takes: SocketScript = async (answer, request) => {
      bodies.push((await request.body).length);
      answer.json(null);
    };
    const put = inTurn(refuses, takes);
    await using bench = await engineWith({
      'POST /containers/create': json({ Id: 'c1' }),
      'PUT /containers/c1/archive': put,
    });
    const container = await bench.engine.createContainer(SPEC, never);
    const entry = {
      path: 'a',
      kind: 'file',
      mode: 0o644,
      uid: 0,
      gid: 0,
      content: new Uint8Array(10),
    } as const;
    await container.put(() => packTar([entry]), '/', never);
    expect([put.times(), bodies]).toEqual([2, [2048]]);
    bench.socket.script({ 'PUT /containers/c1/archive': refuses });
    await expect(container.put(packTar([entry]), '/', never)).rejects.toThrow('come back later');
  });
});
