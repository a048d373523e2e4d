import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { attemptsOf } from '../../support/rig.ts';
import { type DockerRig, leftOf, makeDockerRig, removeTaskImages } from './docker-rig.ts';

const MIB = 2 ** 20;
const YAML = `environment: { memory: 256MiB, pids: 64, storage: 200MiB }
agent: { timeout: 300s }
verifier: { outputs: [/workspace/out/answer.txt] }
`;
const ANSWER = 'mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt;';

/**
 * What each agent does, with the answer written before, and how that ends. None starts a process that it needs once the
 * limit of processes may have been reached: bash then gives up (254) sooner or later as the machine's pace has it.
 */
const AGENTS = {
  forks: [`${ANSWER} bomb() { bomb | bomb & }; bomb 2>/dev/null; exec sleep 2`, { ending: 'completed' }],
  eats: [`${ANSWER} exec tail /dev/zero`, { ending: 'out-of-memory' }],
  fills: [`${ANSWER} exec cat /dev/zero > /workspace/fill`, { ending: 'out-of-space', limit: 'storage' }],
  litters: [
    `${ANSWER} mkdir /workspace/many; cd /workspace/many; for ((i = 0; i < 30000; i++)); do : > $i; done`,
    { ending: 'completed' },
  ],
  floods: [`${ANSWER} exec yes`, { ending: 'out-of-space', limit: 'output' }],
  zombies: [
    `${ANSWER} (for ((i = 0; i < 50; i++)); do sleep 0.2 & done; exec sleep 1); exit 0`,
    { ending: 'completed' },
  ],
  turns: [
    `${ANSWER} date -s '+1 year' && exit 9; [ "$(date +%Y)" = "${new Date().getUTCFullYear()}" ]`,
    { ending: 'completed' },
  ],
  steady: [`for ((i = 0; i < 50; i++)); do sleep 0.1; done; ${ANSWER}`, { ending: 'completed' }],
} as const satisfies Readonly<Record<string, readonly [string, Partial<AttemptRecord['agent']>]>>;
type Agent = keyof typeof AGENTS;

describe('agents that take all they can, on a real engine', () => {
  let rig: DockerRig;
  let run: string;
  let ended: Awaited<ReturnType<DockerRig['run']>>;
  let records: ReadonlyMap<string, AttemptRecord>;
  beforeAll(async () => {
    rig = await makeDockerRig();
    await rig.addTask('rt-greedy', { yaml: YAML });
    for (const [id, [script]] of Object.entries(AGENTS)) await rig.addHarness(id, script);
    const rows = Object.keys(AGENTS).map((harness) => `{ harness: ${harness} }`);
    const experiment = await rig.addExperiment(
      'greedy',
      `configurations: [${rows.join(', ')}]\ntasks: { include: [rt-greedy] }\nconditions: [no-skills]\nconcurrency: 4\n`,
    );
    run = rig.runId();
    ended = await rig.run(['run', experiment, '--run-id', run]);
    records = new Map(
      attemptsOf(await rig.record(run)).map((record) => [record.trial.configuration, record]),
    );
  }, 600_000);
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await removeTaskImages('rt-greedy');
  });

  it.each(Object.keys(AGENTS) as Agent[])(
    '%s: ends with its reason named, and is scored by its work',
    (agent) => {
      const record = records.get(agent);
      expect(record?.agent).toMatchObject(AGENTS[agent][1]);
      expect(record?.outcome).toMatchObject({ kind: 'scored', verdict: { passed: true } });
    },
  );

  it('the runner ends well, and nothing is left on the engine', async () => {
    expect(ended.stderr).toContain('8 of 8 trials done, passed 8');
    expect(ended.code).toBe(0);
    expect(await leftOf(run)).toEqual([]);
  });

  it('keeps an output that is too much up to its limit, and says so', () => {
    const { agent, notices = [] } = records.get('floods') ?? {};
    expect(agent?.stdoutBytes).toBe(1024 * MIB);
    expect(notices.map(({ code }) => code)).toContain('output-incomplete');
  });
});
