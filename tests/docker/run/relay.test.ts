import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine } from '../../../src/engine/docker/connect.ts';
import type { Engine, Network } from '../../../src/engine/engine.ts';
import { type Relay, startRelay } from '../../../src/run/start-relay.ts';
import { attemptsOf, makeRig, type Rig } from '../../support/rig.ts';
import { leftOf, removeTaskImages } from './docker-rig.ts';
import { placeOf, probeHarness } from './probe-harness.ts';

const ROOT = join(import.meta.dirname, '../../..');
const BASE = process.env.SKILLPAIR_TEST_BASE ?? 'skillpair/base:1';
const LABEL = 'skillpair-test=relay';
const never = new AbortController().signal;
const SERVE =
  'import http.server; http.server.test(http.server.SimpleHTTPRequestHandler, port=8000, bind="0.0.0.0")';
const WAYS = { direct: { kind: 'direct' }, relay: { kind: 'relay', through: '127.0.0.1' } };
const BRIDGE_ADDRESS = '{{(index .IPAM.Config 0).Gateway}}';
/** A harness with a model that takes its time before it writes the answer. */
const SLOW = `schemaVersion: 1
id: slow
version: 1.0.0
title: Takes its time
command: [bash, -c, "echo begun; sleep 12; mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt"]
discovery: { home: [.agents/skills], project: [], system: [] }
bundle: false
trajectory: none
protocol: openai-chat
`;

describe('a run whose way to the gateway is a relay', () => {
  let rig: Rig;
  const servers: string[] = [];
  const runs: string[] = [];
  /** A service of the engine's host, at its address on the default bridge. */
  const service = createServer((socket) => socket.end());

  beforeAll(async () => {
    rig = await makeRig();
    const [allowed, other] = await Promise.all([serve(), serve()]);
    const { stdout: registry } = await execa('npm', ['config', 'get', 'registry']);
    const places = { allowed, other, outside: placeOf(new URL(registry)) };
    const bridge = await execa('docker', ['network', 'inspect', '-f', BRIDGE_ADDRESS, 'bridge']);
    service.listen(0, bridge.stdout);
    await once(service, 'listening');
    const onHost = `${bridge.stdout}:${(service.address() as AddressInfo).port}`;
    await rig.addSkill('alpha');
    const machine = await readFile(join(ROOT, '.skillpair/machine.yaml'), 'utf8').catch(() => '');
    await rig.write({
      'relay.yaml': `${machine}\nmodels: { reach: relay }\n`,
      'direct.yaml': `${machine}\nmodels: { reach: direct }\n`,
      'nowhere.yaml': `${machine}\nmodels: { reach: relay, hostAddress: 192.0.2.1 }\n`,
      'harnesses/probe/harness.yaml': probeHarness(places, 'protocol: openai-chat\n'),
      'harnesses/host/harness.yaml': probeHarness(
        { ...places, outside: onHost },
        'protocol: openai-chat\n',
      ).replace('id: probe', 'id: host'),
      'harnesses/slow/harness.yaml': SLOW,
    });
    for (const [id, network] of [
      ['re-none', 'network: none'],
      ['re-allowlist', `network: allowlist, allowHosts: ["${allowed}"]`],
    ] as const) {
      await rig.addTask(id, {
        skills: ['alpha'],
        yaml: `environment: { ${network} }\nverifier: { outputs: [/workspace/out] }\nskills: [alpha]\n`,
      });
    }
  }, 120_000);
  afterAll(async () => {
    service.close();
    for (const id of servers) await execa('docker', ['rm', '-f', id]);
    await removeTaskImages('re-none', 're-allowlist');
    await rig[Symbol.asyncDispose]();
  });

  /** A server in a container of its own on the engine's default bridge; returns its address. */
  const serve = async (): Promise<string> => {
    const { stdout: id } = await execa('docker', [
      ...['run', '-d', '--init', '--label', LABEL, BASE],
      ...['python3', '-c', SERVE],
    ]);
    servers.push(id);
    const format = '{{.NetworkSettings.IPAddress}}';
    return (await execa('docker', ['inspect', '-f', format, id])).stdout;
  };
  const start = async (name: string, lines: string, machine = 'relay.yaml') => {
    const experiment = await rig.addExperiment(name, `${lines}\nmodels: { mode: scripted }\n`);
    const run = `${name}-${process.pid}`;
    runs.push(run);
    const env = { SKILLPAIR_MACHINE_FILE: join(rig.dir, machine) };
    return { run, running: rig.start(['run', experiment, '--run-id', run], env) };
  };
  /** What the probe saw in each arm of a task. */
  const probe = async (
    task: string,
    harness = 'probe',
    reach: 'relay' | 'direct' = 'relay',
  ): Promise<readonly string[]> => {
    const { run, running } = await start(
      `${reach}-${harness}-${task}`,
      `tasks: { folders: [../tasks], include: [${task}] }\nconfigurations: [{ harness: ${harness}, model: any }]`,
      `${reach}.yaml`,
    );
    const ran = await running.done;
    const records = attemptsOf(await rig.record(run));
    expect(records, ran.stderr).toHaveLength(2);
    for (const { gateway } of records) expect(gateway).toMatchObject(WAYS[reach]);
    return Promise.all(
      records.map(({ trial, attempt }) =>
        readFile(join(rig.dir, 'runs', run, 'trials', trial.id, String(attempt), 'agent/stdout.log'), 'utf8'),
      ),
    );
  };

  it('none: the gateway alone, with the trial’s own key alone, the same in both arms', async () => {
    const seen = await probe('re-none');
    const expected =
      'gateway 200\nstranger 401\nALLOWED straight no\nALLOWED proxied no\nOTHER straight no\nOTHER proxied no\nway out no\n';
    expect(seen).toEqual([expected, expected]);
  });

  it('none: of the engine’s host what is reached without a relay, and no more', async () => {
    const seen = await probe('re-none', 'host');
    expect(seen).toEqual(await probe('re-none', 'host', 'direct'));
  });

  it('allowlist: the named hosts by the proxy behind it, no other, and nothing past the proxy', async () => {
    const seen = await probe('re-allowlist');
    const expected =
      'gateway 200\nstranger 401\nALLOWED straight no\nALLOWED proxied 200\nOTHER straight no\nOTHER proxied 403\nway out no\n';
    expect(seen).toEqual([expected, expected]);
  });

  it('a real program with a scripted model passes with Skills and fails without', async () => {
    const { run, running } = await start(
      'relay-codex',
      `tasks: { folders: [${JSON.stringify(join(ROOT, 'tasks'))}], include: [co2-annual-growth] }
skills: ${JSON.stringify(join(ROOT, 'skills'))}
configurations: [{ harness: codex, model: some-model }]
attempts: { max: 1 }`,
    );
    const ran = await running.done;
    expect(ran.code, ran.stderr).toBe(0);
    const outcomes = attemptsOf(await rig.record(run)).map(({ trial, outcome, gateway }) => [
      trial.condition,
      outcome.kind === 'scored' && outcome.verdict.passed,
      gateway?.kind,
    ]);
    expect(Object.fromEntries(outcomes.map(([arm, ...rest]) => [arm, rest]))).toEqual({
      'no-skills': [false, 'relay'],
      'with-skills': [true, 'relay'],
    });
  });

  it('costs an attempt its verdict when the relay dies, and the next one has a new relay', async () => {
    const { run, running } = await start(
      'relay-killed',
      'tasks: { folders: [../tasks], include: [re-none] }\nconditions: [with-skills]\nconfigurations: [{ name: slow, harness: slow, model: any }]\nattempts: { max: 2 }',
    );
    const log = join(rig.dir, 'runs', run, 'trials/re-none/with-skills/1/slow/1/agent/stdout.log');
    await expect.poll(() => readFile(log, 'utf8').catch(() => ''), { timeout: 60_000 }).toBe('begun\n');
    const mine = ['--filter', `label=skillpair.run=${run}`, '--filter', 'label=skillpair.kind=relay'];
    const { stdout: relay } = await execa('docker', ['ps', '-q', ...mine]);
    await execa('docker', ['kill', relay]);
    const ran = await running.done;
    const [first, second] = attemptsOf(await rig.record(run)).map(({ outcome }) => outcome);
    expect(first, ran.stderr).toMatchObject({ kind: 'unscored', reason: 'runtime-lost', phase: 'agent' });
    expect(second).toMatchObject({ kind: 'scored', verdict: { passed: true } });
  });

  it('says what is missing where the relay finds no gateway', async () => {
    const { run, running } = await start(
      'relay-nowhere',
      'tasks: { folders: [../tasks], include: [re-none] }\nconditions: [with-skills]\nconfigurations: [{ name: slow, harness: slow, model: any }]\nattempts: { max: 1 }',
      'nowhere.yaml',
    );
    expect((await running.done).code).toBe(4);
    const [attempt] = attemptsOf(await rig.record(run));
    expect(attempt?.outcome).toMatchObject({ kind: 'unscored', reason: 'start-failed', phase: 'start' });
    const detail = attempt?.outcome.kind === 'unscored' ? attempt.outcome.detail : '';
    expect(detail).toContain('cannot reach the model gateway');
    expect(detail).toContain('correct models.hostAddress (192.0.2.1)');
  });

  it('leaves no relay, no network and no container behind', async () => {
    expect(runs).toHaveLength(7);
    for (const run of runs) expect(await leftOf(run)).toEqual([]);
  });
});

/** The test plays the gateway, so that it sees what comes through. */
describe('a relay', () => {
  let engine: Engine;
  let network: Network;
  let relay: Relay;
  let server: Server;
  let visitor: (socket: Socket) => void = () => undefined;

  beforeAll(async () => {
    engine = await connectEngine({ env: process.env });
    const labels = { 'skillpair.test': `relay-${process.pid}` };
    const name = `skillpair-relay-${process.pid}`;
    network = await engine.createNetwork({ name, internal: true, labels }, never);
    const base = await engine.image(BASE, never);
    if (base === undefined) throw new Error(`the engine has no image ${BASE}: npm test makes one`);
    const heard = Promise.withResolvers<{ told: Record<string, string>; gone: AbortSignal }>();
    server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.once('data', (chunk) => {
        const [, port] = /^GET \/knock\/x\?port=(\d+)&through=127\.0\.0\.1 /.exec(String(chunk)) ?? [];
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        heard.resolve({ told: { port: port ?? '', through: '127.0.0.1' }, gone: never });
        server.removeAllListeners('connection').on('connection', (next) => visitor(next));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    relay = await startRelay({
      engine,
      image: base.id,
      name: `${name}-relay`,
      labels,
      address: network.gatewayAddress,
      gatewayPort: (server.address() as AddressInfo).port,
      hosts: ['127.0.0.1'],
      knock: { path: '/knock/x', heard: heard.promise, [Symbol.dispose]: () => undefined },
      stop: never,
      leftBehind: (what) => expect.fail(what),
    });
  });
  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await engine.remove({ kind: 'network', id: network.id }, never);
    server.close();
  });
  const open = (): Socket => {
    const [host, port] = relay.place.split(':');
    return connect({ host, port: Number(port), allowHalfOpen: true });
  };

  it('passes on what comes before more comes, both ways', async () => {
    const there = new Promise<Socket>((resolve) => {
      visitor = resolve;
    });
    const here = open();
    here.write('a question');
    const far = await there;
    expect(String((await once(far, 'data'))[0])).toBe('a question');
    for (const part of ['first', 'second']) {
      far.write(part);
      expect(String((await once(here, 'data'))[0])).toBe(part);
    }
    here.destroy();
    await once(far, 'end');
    far.destroy();
  });

  it('passes on the end of one direction while the other goes on, and 8 MiB unchanged', async () => {
    const answer = Buffer.alloc(2 ** 23, 'answer ');
    visitor = (socket) => {
      buffer(socket).then((asked) => socket.end(Buffer.concat([asked, answer])));
    };
    const here = open();
    here.end('asked whole');
    const got = await buffer(here);
    expect(got.equals(Buffer.concat([Buffer.from('asked whole'), answer]))).toBe(true);
  });

  it('holds 200 connections at once', async () => {
    visitor = (socket) => {
      buffer(socket).then((asked) => socket.end(asked));
    };
    const all = Array.from({ length: 200 }, open);
    await Promise.all(all.map((socket) => once(socket, 'connect')));
    const echoes = all.map((socket, index) => {
      socket.end(String(index));
      return buffer(socket).then(String);
    });
    expect(await Promise.all(echoes)).toEqual(all.map((_, index) => String(index)));
  });

  it('breaks off what breaks off behind it: no end that looks like a good one', async () => {
    visitor = (socket) => {
      socket.write('begun', () => socket.resetAndDestroy());
    };
    const here = open();
    here.write('ask');
    await expect(buffer(here)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('can write nowhere, has no capability, and is nobody', async () => {
    const { stdout } = await execa('docker', ['inspect', `skillpair-relay-${process.pid}-relay`]);
    const [{ Config, HostConfig }] = JSON.parse(stdout);
    expect(Config.User).toBe('65534:65534');
    expect(HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      PidsLimit: 16,
      Memory: 268_435_456,
      Binds: null,
    });
  });
});
