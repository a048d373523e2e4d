import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineProxy, makeEngineProxy, type ProxyCall } from '../../support/engine-proxy.ts';
import { attemptsOf, type Running } from '../../support/rig.ts';
import { type DockerRig, leftOf, makeDockerRig, removeTaskImages } from './docker-rig.ts';

const CHECK =
  'if [ "$(cat /workspace/out/answer.txt)" = 42 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n';
/** Tasks whose images are built while the signals come. */
const BUILT = ['rt-built-once', 'rt-built-twice'];
/** Named like ours, with nothing of our labels. */
const FOREIGN = 'skillpair-runtests-neighbour';

type Times = 'once' | 'twice';
const ON = (method: string, end: string) => (call: ProxyCall) =>
  call.method === method && call.path.endsWith(end);
/** In which phase of a trial a call is made. */
const PHASES: readonly (readonly [phase: string, isMeant: (call: ProxyCall) => boolean])[] = [
  ['build', ON('POST', '/build')],
  ['start', ON('POST', '/containers/create')],
  ['inject', ON('PUT', '/archive')],
  ['agent', ON('POST', '/start')],
  ['verify', ON('POST', '/commit')],
  ['removal', ({ method, path }) => method === 'DELETE' && path.startsWith('/images/')],
];
const CASES = PHASES.flatMap(([phase, isMeant]) =>
  (['once', 'twice'] as const).map((times, place) => {
    const signal =
      place === 0 ? 'SIGINT' : phase === 'agent' ? 'SIGTERM' : phase === 'start' ? 'SIGHUP' : 'SIGINT';
    return [phase, times, signal, isMeant] as const;
  }),
);

describe('two runs of one task at once on one engine, one of which is interrupted', () => {
  let rig: DockerRig;
  let proxy: EngineProxy;
  let neighbour: Running;
  let ofNeighbour: string;
  beforeAll(async () => {
    rig = await makeDockerRig();
    proxy = await makeEngineProxy();
    await rig.addTask('rt-answer', { script: CHECK });
    for (const name of BUILT)
      await rig.addTask(name, {
        script: CHECK,
        dockerfile: `FROM skillpair/base:1\nRUN : ${rig.runId()} && sleep 1\n`,
      });
    await rig.addHarness('steady', 'mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt; sleep 2');
    const lines = 'configurations: [{ harness: steady }]\nconditions: [no-skills]\n';
    await rig.addExperiment(
      'neighbour',
      `${lines}tasks: { include: [rt-answer] }\ntrials: 12\nconcurrency: 1\n`,
    );
    await rig.addExperiment(
      'interrupted',
      `${lines}tasks: { include: [rt-answer] }\ntrials: 3\nconcurrency: 1\n`,
    );
    for (const name of BUILT)
      await rig.addExperiment(name, `${lines}tasks: { include: [${name}] }\ntrials: 3\nconcurrency: 1\n`);
    await execa('docker', ['create', '--name', FOREIGN, 'skillpair/rootfs:bookworm', 'true'], {
      reject: false,
    });
    ofNeighbour = rig.runId();
    neighbour = rig.start(['run', 'experiments/neighbour.yaml', '--run-id', ofNeighbour]);
    await neighbour.saw(/started/);
  }, 120_000);
  afterAll(async () => {
    await execa('docker', ['rm', '-f', FOREIGN], { reject: false });
    await proxy[Symbol.asyncDispose]();
    await rig[Symbol.asyncDispose]();
    await removeTaskImages('rt-answer', ...BUILT);
  });

  /** Sends the signal when the engine is first asked for what belongs to the phase. */
  async function interruptIn(
    isMeant: (call: ProxyCall) => boolean,
    from: {
      readonly run: string;
      readonly times: Times;
      readonly signal: NodeJS.Signals;
      readonly experiment: string;
    },
  ) {
    const args = ['run', `experiments/${from.experiment}.yaml`, '--run-id', from.run];
    const running = rig.start(args, { DOCKER_HOST: proxy.address });
    let isSent = false;
    proxy.rule({
      fate: (call) => {
        if (!isSent && isMeant(call)) {
          isSent = true;
          running.kill(from.signal);
        }
        return 'pass';
      },
    });
    if (from.times === 'twice') {
      await running.saw(/interrupted: no new trial/);
      // Repeats within a second are one press.
      const pressing = setInterval(() => running.kill(from.signal), 300);
      await running.saw(/stopping now|ended: /).finally(() => clearInterval(pressing));
    }
    return await running.done;
  }

  it.each(CASES)(
    'in %s, %s (%s): says so, writes its reports, and leaves nothing',
    async (phase, times, signal, isMeant) => {
      const run = rig.runId();
      const experiment = phase === 'build' ? `rt-built-${times}` : 'interrupted';
      const { code, stderr } = await interruptIn(isMeant, { run, times, signal, experiment });
      expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(stderr).toContain('interrupted: no new trial is started');
      expect(rig.exists(`runs/${run}/reports/junit.xml`)).toBe(true);
      const outcomes = attemptsOf(await rig.record(run)).map(({ outcome }) =>
        outcome.kind === 'scored' ? outcome.verdict.passed : outcome.reason,
      );
      // Drained: what ran has its verdict. Stopped: it has one, or was cancelled; nothing else may come of it.
      for (const outcome of outcomes)
        expect(times === 'once' ? [true] : [true, 'cancelled']).toContain(outcome);
      expect(outcomes.length).toBeLessThan(3);
      expect(await leftOf(run)).toEqual([]);
    },
  );

  it('leaves the other run as it was, and what is not ours', async () => {
    const { code } = await neighbour.done;
    const records = attemptsOf(await rig.record(ofNeighbour));
    expect([code, records.map(({ attempt }) => attempt)]).toEqual([0, Array.from({ length: 12 }, () => 1)]);
    expect(records.every(({ outcome }) => outcome.kind === 'scored' && outcome.verdict.passed)).toBe(true);
    const { stdout } = await execa('docker', ['ps', '-a', '--format', '{{.Names}}']);
    expect(stdout.split('\n')).toContain(FOREIGN);
  });
});
