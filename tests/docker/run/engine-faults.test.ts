import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/base/random.ts';
import { type EngineProxy, type Fate, makeEngineProxy, type ProxyCall } from '../../support/engine-proxy.ts';
import { attemptsOf } from '../../support/rig.ts';
import { type DockerRig, leftOf, makeDockerRig, removeTaskImages } from './docker-rig.ts';

const CHECK =
  'if [ "$(cat /workspace/out/answer.txt)" = 42 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n';
const NO_SPACE = { status: 500, message: 'write /var/lib/docker/tmp/layer: no space left on device' };
const NO_ADDRESSES = {
  status: 500,
  message:
    'could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network',
};

describe('a run on an engine in trouble', () => {
  let rig: DockerRig;
  let proxy: EngineProxy;
  beforeAll(async () => {
    rig = await makeDockerRig();
    proxy = await makeEngineProxy();
    await rig.addTask('rt-answer', { script: CHECK });
    await rig.addTask('rt-full', {
      script: CHECK,
      dockerfile: `FROM skillpair/base:1\nRUN : ${rig.runId()}\n`,
    });
    await rig.addTask('rt-hosts', {
      script: CHECK,
      yaml: 'skills: []\nenvironment: { memory: 256MiB, network: allowlist, allowHosts: [example.org] }\nverifier: { kind: script, isolation: snapshot }\n',
    });
    const lines = 'configurations: [{ harness: oracle }, { harness: nop }]\nconcurrency: 2\n';
    await rig.addExperiment('trouble', `${lines}tasks: { include: [rt-answer] }\n`);
    await rig.addExperiment('full', `${lines}tasks: { include: [rt-full] }\n`);
    await rig.addExperiment('hosts', `${lines}tasks: { include: [rt-hosts] }\nconditions: [no-skills]\n`);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await rig[Symbol.asyncDispose]();
    await removeTaskImages('rt-answer', 'rt-full', 'rt-hosts');
  });

  const begin = (run: string, name = 'trouble') =>
    rig.start(['run', `experiments/${name}.yaml`, '--run-id', run], { DOCKER_HOST: proxy.address });
  /** What each trial came to, in plan order, and after how many attempts. */
  const outcomes = async (run: string) =>
    (await rig.record(run)).trials.map(({ trial, outcome, attempts }) => [
      trial.configuration,
      outcome.kind === 'scored' ? outcome.verdict.passed : outcome.reason,
      attempts.length,
    ]);
  const whole = (attempts: number) => [
    ['oracle', true, attempts],
    ['oracle', true, attempts],
    ['nop', false, 1],
    ['nop', false, 1],
  ];

  /** Everything passes but one call in ten. */
  function oneInTen(fate: Fate, seed: number): void {
    const random = seededRandom(seed);
    proxy.rule({ fate: () => (random() < 0.1 ? fate : 'pass') });
  }
  /** The first calls of a kind suffer, all else passes. */
  function first(times: number, isMeant: (call: ProxyCall) => boolean, fate: Fate): void {
    let left = times;
    proxy.rule({ fate: (call) => (isMeant(call) && left-- > 0 ? fate : 'pass') });
  }

  it.each<[string, Fate, RegExp]>([
    [
      'refuses it',
      { status: 500, message: 'the server is busy' },
      /container engine: .*: the server is busy; trying again/,
    ],
    ['breaks its connection', 'reset', /container engine: .*: socket hang up; trying again/],
    ['does it and loses the answer', 'lost', /container engine: .*: socket hang up; trying again/],
  ])(
    'that, of one call in ten, %s: scores every trial at its first attempt, and says why it is slow',
    async (_what, fate, words) => {
      const run = rig.runId();
      oneInTen(fate, 11);
      const { code, stderr } = await begin(run).done;
      proxy.rule({});
      expect([code, await outcomes(run)]).toEqual([0, whole(1)]);
      expect(stderr).toMatch(words);
      expect(await leftOf(run)).toEqual([]);
    },
  );

  it('that is away for 20 s: starts nothing meanwhile and says so, costs each running trial one attempt, and leaves nothing', async () => {
    const run = rig.runId();
    let starts = 0;
    proxy.rule({
      answered: ({ path }) => {
        if (path.endsWith('/start') && ++starts === 2) setImmediate(() => void proxy.leave());
      },
    });
    const running = begin(run);
    await running.saw(/the container engine does not answer: no trial is started until it does/);
    const away = proxy.calls.length;
    setTimeout(() => void proxy.comeBack(), 20_000);
    const { code, stderr } = await running.done;
    proxy.rule({});
    expect(away).toBeLessThan(proxy.calls.length);
    expect(stderr).toContain('the container engine answers again: going on');
    expect([code, await outcomes(run)]).toEqual([0, whole(2)]);
    const lost = attemptsOf(await rig.record(run)).flatMap(({ outcome }) =>
      outcome.kind === 'unscored' ? [outcome.reason] : [],
    );
    expect(lost).toEqual(['runtime-lost', 'runtime-lost']);
    expect(await leftOf(run)).toEqual([]);
  });

  it('whose disk is full for two snapshots: waits, names the disk, and goes on', async () => {
    const run = rig.runId();
    first(2, ({ path }) => path === '/commit', NO_SPACE);
    const { code, stderr } = await begin(run).done;
    expect([code, await outcomes(run)]).toEqual([0, whole(2)]);
    expect(stderr).toContain('no space left on device: no trial is started until there is room');
    expect(await leftOf(run)).toEqual([]);
  });

  it('whose disk is full for a build and for what is put into a container: no trial is failed, none is given up for it', async () => {
    const run = rig.runId();
    first(1, ({ path }) => path === '/build', NO_SPACE);
    const built = await begin(run, 'full').done;
    expect([built.code, (await outcomes(run)).map(([, verdict]) => verdict)]).toEqual([
      0,
      [true, true, false, false],
    ]);
    expect(built.stderr).toContain('start-failed in build');
    const next = rig.runId();
    first(1, ({ method }) => method === 'PUT', NO_SPACE);
    expect((await begin(next).done).code).toBe(0);
    expect([...(await leftOf(run)), ...(await leftOf(next))]).toEqual([]);
  });

  it('without a free address: waits for one, and names the pool', async () => {
    const run = rig.runId();
    first(2, ({ path }) => path === '/networks/create', NO_ADDRESSES);
    const { code, stderr } = await begin(run, 'hosts').done;
    proxy.rule({});
    expect(stderr).toContain(
      'address pool among the defaults to assign to the network: trials wait until a network is removed',
    );
    expect([code, await outcomes(run)]).toEqual([
      0,
      [
        ['oracle', true, 1],
        ['nop', false, 1],
      ],
    ]);
    expect(await leftOf(run)).toEqual([]);
  });

  it('that loses the answer to a network it has made: has one network then, and none at the end', async () => {
    const run = rig.runId();
    first(1, ({ path }) => path === '/networks/create', 'lost');
    const { code } = await begin(run, 'hosts').done;
    proxy.rule({});
    expect([code, await leftOf(run)]).toEqual([0, []]);
  });

  it('that takes ten seconds to remove a container: the other trials go on meanwhile', async () => {
    const run = rig.runId();
    first(1, ({ method, path }) => method === 'DELETE' && path.startsWith('/containers'), {
      afterMs: 10_000,
    });
    const { code } = await begin(run).done;
    proxy.rule({});
    const attempts = attemptsOf(await rig.record(run));
    const slowest = attempts.reduce((most, one) => (one.durationMs > most.durationMs ? one : most));
    const besides = attempts.filter(
      (one) => one !== slowest && one.endedAt < slowest.endedAt && one.startedAt > slowest.startedAt,
    );
    expect([code, besides.length > 0]).toEqual([0, true]);
    expect(await leftOf(run)).toEqual([]);
  });

  it('that never tells of the end of a process, nor answers a removal: is asked again, and nothing is waited for without end', async () => {
    const run = rig.runId();
    const hung = { wait: 1, remove: 1 };
    proxy.rule({
      fate: ({ method, path }) => {
        if (path.endsWith('/wait') && hung.wait-- > 0) return 'hang';
        return method === 'DELETE' && hung.remove-- > 0 ? 'hang' : 'pass';
      },
    });
    const { code } = await begin(run).done;
    proxy.rule({});
    expect([code, await outcomes(run)]).toEqual([0, whole(1)]);
    expect(await leftOf(run)).toEqual([]);
  });

  it('that refuses everything from the first trial on: ends by itself after a bounded number of tries, with nothing scored', async () => {
    const run = rig.runId();
    let isRefusing = false;
    proxy.rule({
      fate: ({ path }) => {
        isRefusing ||= path === '/containers/create';
        return isRefusing && /create|start/.test(path) ? { status: 500, message: 'not today' } : 'pass';
      },
    });
    const from = proxy.calls.length;
    const { code, stderr } = await begin(run).done;
    proxy.rule({});
    expect([code, (await outcomes(run)).map(([, reason]) => reason)]).toEqual([
      4,
      ['start-failed', 'start-failed', 'start-failed', 'start-failed'],
    ]);
    const creates = proxy.calls.slice(from).filter((call) => call === 'POST /containers/create');
    // Four goes at the call, for each of two attempts at each of four trials.
    expect(creates.length).toBeLessThanOrEqual(4 * 2 * 4);
    expect(stderr).toContain('not today');
  });
});
