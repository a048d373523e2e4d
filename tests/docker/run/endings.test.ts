import { createReadStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageStore, reachEngine, trialServices } from '../../../src/cli/compose.ts';
import { loadExperiment } from '../../../src/cli/load-experiment.ts';
import { readTar } from '../../../src/engine/archive.ts';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { RunId } from '../../../src/model/ids.ts';
import { grantLimits } from '../../../src/run/limits.ts';
import { verify } from '../../../src/run/verify.ts';
import { attemptsOf } from '../../support/rig.ts';
import { type DockerRig, leftOf, makeDockerRig, removeTaskImages } from './docker-rig.ts';

const LIMIT_MS = 3000;
const YAML =
  'environment: { memory: 256MiB }\nagent: { timeout: 3s }\nverifier: { outputs: [/workspace/out] }\n';
const ANSWER = 'mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt;';
const TICKING = "trap '' TERM; while :; do date +%s%3N >> /workspace/out/ticks; sleep 0.2; done";

/** What each agent does, all of them with the answer written before. */
const AGENTS = {
  endless: `${ANSWER} exec sleep 600`,
  stubborn: `${ANSWER} trap '' TERM; while :; do sleep 0.2; done`,
  grandchild: `${ANSWER} setsid bash -c "${TICKING}" & exec sleep 600`,
  leaver: `${ANSWER} setsid bash -c "${TICKING}" & exit 0`,
  silent: 'exec sleep 600',
  suicidal: 'kill -TERM $$',
};

describe('agents that do not end, on a real engine', () => {
  let rig: DockerRig;
  let run: string;
  let code: number | null;
  let records: ReadonlyMap<string, AttemptRecord>;
  beforeAll(async () => {
    rig = await makeDockerRig();
    await rig.addTask('rt-ending', { yaml: YAML });
    for (const [id, script] of Object.entries(AGENTS)) await rig.addHarness(id, script);
    const rows = Object.keys(AGENTS).map((harness) => `{ harness: ${harness} }`);
    const experiment = await rig.addExperiment(
      'ending',
      `configurations: [${rows.join(', ')}]\ntasks: { include: [rt-ending] }\nconditions: [no-skills]\nconcurrency: 6\n`,
    );
    run = rig.runId();
    code = (await rig.run(['run', experiment, '--run-id', run])).code;
    records = new Map(
      attemptsOf(await rig.record(run)).map((record) => [record.trial.configuration, record]),
    );
  }, 240_000);
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await removeTaskImages('rt-ending');
  });
  const of = (agent: keyof typeof AGENTS): AttemptRecord => {
    const record = records.get(agent);
    if (record === undefined) throw new Error(`${agent} left no record`);
    return record;
  };
  const evidence = (agent: keyof typeof AGENTS, path: string) =>
    join(rig.dir, 'runs', run, 'trials', of(agent).trial.id, '1', path);
  const isPassed = ({ outcome }: AttemptRecord) => outcome.kind === 'scored' && outcome.verdict.passed;

  it('are all scored: a time limit is an ending and no fault', async () => {
    expect(code).toBe(0);
    expect([...records.values()].map(({ outcome }) => outcome.kind)).toEqual(Array(6).fill('scored'));
    expect(await leftOf(run)).toEqual([]);
  });

  it.each(['endless', 'stubborn', 'grandchild'] as const)(
    '%s, having done its work, is timed out by the agent’s limit and passes',
    (agent) => {
      const record = of(agent);
      expect(record.agent).toMatchObject({ ending: 'timed-out', limit: 'agent' });
      expect(record.agent?.durationMs).toBeGreaterThanOrEqual(LIMIT_MS);
      expect(isPassed(record)).toBe(true);
    },
  );

  it('one that did nothing within its limit fails', () => {
    expect(of('silent').agent?.ending).toBe('timed-out');
    expect(isPassed(of('silent'))).toBe(false);
  });

  it('one that ends itself by a signal, as an engine that stops would, fails all the same', () => {
    expect(of('suicidal').agent).toMatchObject({ ending: 'killed', signal: 'SIGTERM' });
    expect(isPassed(of('suicidal'))).toBe(false);
  });

  it('one that ends and leaves a child behind is completed, and the child ends with it', async () => {
    expect(of('leaver').agent).toMatchObject({ ending: 'completed', exitCode: 0 });
    expect(isPassed(of('leaver'))).toBe(true);
  });

  it('a grandchild that ignores TERM writes nothing after the agent’s end', async () => {
    const record = of('grandchild');
    let ticks: number[] = [];
    for await (const { path, content } of readTar(
      createReadStream(evidence('grandchild', 'artifacts/outputs.tar')),
    ))
      if (path.endsWith('/ticks')) ticks = (await text(content)).trim().split('\n').map(Number);
    const first = ticks[0] ?? Number.NaN;
    expect(ticks.length).toBeGreaterThan(3);
    // It began after the agent did, so that by the agent's end it cannot have written for longer than the agent lasted.
    expect((ticks.at(-1) ?? Number.NaN) - first).toBeLessThanOrEqual((record.agent?.durationMs ?? 0) + 500);
  });

  it('can be verified again from what was kept, without the agent, to the same verdict', async () => {
    const signal = AbortSignal.timeout(120_000);
    const environment = { cwd: rig.dir, env: process.env, now: () => new Date() };
    const project = await loadExperiment(environment, 'experiments/ending.yaml');
    const { engine, host } = await reachEngine({
      ...environment,
      stderr: { stream: process.stderr, isTty: false, columns: 80 },
    });
    const emit = () => undefined;
    const images = imageStore(environment, engine, { project, emit, stop: signal });
    const again = RunId.parse(rig.runId());
    const services = trialServices({ engine, host, images, project, run: again });
    const [task] = project.tasks.filter(({ id }) => id === 'rt-ending');
    if (task === undefined) throw new Error('the task is gone');
    const image = await images.taskImage(task, signal);
    for (const agent of ['endless', 'silent'] as const) {
      const { trial, outcome } = of(agent);
      const configuration = project.configurations.find(({ name }) => name === trial.configuration);
      const harness = project.harnesses.get(agent);
      if (configuration === undefined || harness === undefined) throw new Error(`${agent} is gone`);
      const evidenceDir = join(rig.dir, 'again', agent);
      await mkdir(evidenceDir, { recursive: true });
      const verdict = await verify(
        services,
        {
          trial,
          attempt: 1,
          task,
          configuration,
          harness,
          evidenceDir,
          stop: signal,
          notice: emit,
          leftBehind: emit,
          inSlot: (work) => work(),
          verifications: 1,
        },
        {
          image: image.id,
          pristine: image.info,
          limits: grantLimits(task, host),
          outputsTar: evidence(agent, 'artifacts/outputs.tar'),
          round: 1,
        },
      );
      const before = outcome.kind === 'scored' ? outcome.verdict : undefined;
      const names = (tests: typeof verdict.tests | undefined) =>
        tests?.map(({ name, status }) => [name, status]);
      expect([verdict.passed, verdict.reward, names(verdict.tests)]).toEqual([
        before?.passed,
        before?.reward,
        names(before?.tests),
      ]);
    }
    expect(await leftOf(again)).toEqual([]);
    expect(await readFile(evidence('endless', 'agent/stdout.log'), 'utf8')).toBe('');
  });
});
