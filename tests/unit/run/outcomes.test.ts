import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import type { FakeExit } from '../../fakes/fake-container.ts';
import { type FakeOperation, makeFakeEngine } from '../../fakes/fake-engine.ts';
import { GOOD_AGENT, leftOf, runBench, SNAPSHOT, said, talk, taskYaml } from './run-bench.ts';

const ANSWER = { '/workspace/out/answer.txt': '42\n' };
const started = talk().split('\n').slice(0, 1).join('\n').concat('\n');

describe('how an agent ends', () => {
  it.each<[string, FakeExit, Record<string, unknown>]>([
    ['completed', {}, { ending: 'completed', exitCode: 0 }],
    [
      'crashed',
      { exit: 3, stdout: talk().replace('"ok":true', '"ok":false') },
      { ending: 'crashed', exitCode: 3 },
    ],
    [
      'timed-out',
      { durationMs: 90_000, stdout: started },
      { ending: 'timed-out', limit: 'agent', exitCode: null, durationMs: 60_000 },
    ],
    [
      'timed-out by its own limit',
      { exit: 1, stdout: `${started}{"kind":"end","ok":false,"limit":"inner"}\n` },
      { ending: 'timed-out', limit: 'inner' },
    ],
    ['out of memory', { outOfMemory: true, stdout: started }, { ending: 'out-of-memory', exitCode: null }],
    [
      'killed',
      { signal: 'SIGKILL', stdout: started },
      { ending: 'killed', signal: 'SIGKILL', exitCode: null },
    ],
  ])('%s: is verified all the same, and its work may pass', async (_what, exit, expected) => {
    const agent = { stdout: talk(), ...exit, changedFiles: ANSWER };
    await using bench = await runBench({ programs: { agent } });
    const record = await bench.runArm('no-skills');
    expect(record.agent).toMatchObject(expected);
    expect(said(record.outcome)).toBe('passed');
    expect(await leftOf(bench)).toEqual([]);
  });

  it('without a result that can be read leaves the trial unscored and unverified', async () => {
    await using bench = await runBench({ programs: { agent: { stdout: started, changedFiles: ANSWER } } });
    const record = await bench.runArm('no-skills');
    expect(record.outcome).toMatchObject({ kind: 'unscored', reason: 'harness-protocol', phase: 'agent' });
    expect(record.agent?.ending).toBe('completed');
    expect(bench.engine.callsOf('runMain')).toHaveLength(1);
    expect(await leftOf(bench)).toEqual([]);
  });
});

describe('how a verifier ends', () => {
  it.each<[string, FakeExit]>([
    ['no reward', {}],
    ['a reward that is no number', { changedFiles: { '/logs/verifier/reward.txt': 'nan' } }],
    ['a reward out of range', { changedFiles: { '/logs/verifier/reward.txt': '1.5' } }],
    ['an empty reward', { changedFiles: { '/logs/verifier/reward.txt': '' } }],
    [
      'two rewards that disagree',
      { changedFiles: { '/logs/verifier/reward.txt': '1', '/logs/verifier/reward.json': '{"reward": 0}' } },
    ],
    ['a time limit', { durationMs: 61_000, changedFiles: { '/logs/verifier/reward.txt': '1' } }],
    ['no memory', { outOfMemory: true, changedFiles: { '/logs/verifier/reward.txt': '1' } }],
    [
      'a reward that is a link',
      { changedFiles: { '/logs/verifier/reward.txt': { kind: 'link', target: '/etc/one' } } },
    ],
  ])('with %s, the trial is unscored and nothing stays', async (_what, exit) => {
    await using bench = await runBench({ programs: { 'bash /tests/test.sh': exit } });
    const record = await bench.runArm('no-skills');
    expect(record.outcome).toMatchObject({ kind: 'unscored', reason: 'verifier-error', phase: 'verify' });
    expect(record.agent?.ending).toBe('completed');
    expect(await leftOf(bench)).toEqual([]);
  });

  it('keeps every report file as evidence and reads none that leaves the folder', async () => {
    await using bench = await runBench({
      programs: {
        'bash /tests/test.sh': {
          changedFiles: { '/logs/verifier/reward.txt': '0', '/logs/verifier/deep/ctrf.json': '{}' },
        },
      },
    });
    const { evidence } = await bench.runArm('no-skills');
    expect(evidence.filter((path) => path.startsWith('verifier/logs/verifier/'))).toEqual([
      'verifier/logs/verifier/deep/ctrf.json',
      'verifier/logs/verifier/reward.txt',
    ]);
  });
});

describe('streams that may lack a part', () => {
  it('are named in the record, the agent’s and the verifier’s, and the verdict stands', async () => {
    await using bench = await runBench({
      programs: {
        agent: { ...GOOD_AGENT, outputFault: 'the stream was torn' },
        'bash /tests/test.sh': {
          changedFiles: { '/logs/verifier/reward.txt': '1' },
          outputFault: 'the stream was lost',
        },
      },
    });
    const record = await bench.runArm('no-skills');
    expect(said(record.outcome)).toBe('passed');
    expect(record.notices).toEqual([
      { code: 'output-incomplete', detail: 'the output of the agent may be incomplete: the stream was torn' },
      {
        code: 'output-incomplete',
        detail: 'the output of the verifier may be incomplete: the stream was lost',
      },
    ]);
  });
});

describe('a pytest verifier', () => {
  const files = {
    'tasks/demo/task.yaml': taskYaml().replace('kind: script', 'kind: pytest'),
    'tasks/demo/tests/test_a.py': '',
  };
  const report = (nonce: string) =>
    JSON.stringify({
      schemaVersion: 1,
      nonce,
      complete: true,
      exitStatus: 0,
      collected: 1,
      pytest: '8',
      python: '3',
      tests: [{ name: 'test_a.py::test', status: 'passed', message: '', durationMs: 1 }],
      collectionErrors: [],
    });
  const command = '/bin/sh /opt/skillpair/verifier/run-pytest.sh';

  it('runs from a read-only volume as root, with a nonce that no agent could know', async () => {
    let seen: unknown;
    await using bench = await runBench({
      files,
      programs: {
        [command]: (all, spec) => {
          const { user, env, mounts, network } = spec;
          seen = {
            user,
            network,
            mounts,
            runner: all.get('/opt/skillpair/verifier/run-pytest.sh')?.content.toString(),
          };
          return { changedFiles: { '/logs/verifier/report.json': report(String(env.SKILLPAIR_NONCE)) } };
        },
      },
    });
    const record = await bench.runArm('no-skills');
    expect(said(record.outcome)).toBe('passed');
    expect(seen).toMatchObject({
      user: '0:0',
      network: 'none',
      mounts: [{ target: '/opt/skillpair/verifier', readOnly: true }],
      runner: 'run\n',
    });
    const agent = bench.engine.made.find(({ spec }) => spec.labels['skillpair.kind'] === 'agent');
    expect(JSON.stringify(agent?.spec)).not.toMatch(/NONCE|skillpair\/verifier/);
  });

  it('is not believed with a report of another attempt', async () => {
    await using bench = await runBench({
      files,
      programs: { [command]: { changedFiles: { '/logs/verifier/report.json': report('0'.repeat(32)) } } },
    });
    expect((await bench.runArm('no-skills')).outcome).toMatchObject({
      reason: 'verifier-error',
      detail: expect.stringContaining('another attempt'),
    });
  });
});

/** Each call of a trial that can fail, and what its failing means. */
const FAILING: readonly [FakeOperation, EngineError['kind'], string, string][] = [
  ['createContainer', 'other', 'start-failed', 'start'],
  ['createContainer', 'unreachable', 'runtime-lost', 'start'],
  ['createContainer', 'no-space', 'start-failed', 'start'],
  ['put', 'unreachable', 'runtime-lost', 'inject'],
  ['put', 'not-found', 'runtime-lost', 'inject'],
  ['changes', 'protocol', 'runtime-lost', 'check'],
  ['runMain', 'unreachable', 'runtime-lost', 'agent'],
  ['runMain', 'other', 'start-failed', 'agent'],
  ['build', 'unreachable', 'runtime-lost', 'build'],
  ['build', 'build-failed', 'build-failed', 'build'],
];

describe('a call that the engine refuses', () => {
  it('is what the outcome tells, also when the container cannot be removed for the same reason', async () => {
    await using bench = await runBench();
    bench.engine.failNext('export', new EngineError('export', 'unreachable', 'it went away'));
    bench.engine.failNext('removeContainer', new EngineError('remove', 'unreachable', 'it is away'));
    const { outcome } = await bench.runArm('no-skills');
    expect(outcome).toMatchObject({ reason: 'runtime-lost', phase: 'build', detail: 'export: it went away' });
  });

  it.each(FAILING)(
    '%s (%s): the trial is unscored with %s, phase %s, and nothing stays',
    async (operation, kind, reason, phase) => {
      await using bench = await runBench();
      // The index of an image is read through a container too; that call must not be the one that fails.
      if (operation === 'createContainer' || operation === 'changes') await bench.run();
      bench.records.length = 0;
      bench.engine.failNext(operation, new EngineError(operation, kind, 'said so'));
      const record = await bench.runArm('no-skills');
      expect(record.outcome).toMatchObject({ kind: 'unscored', reason, phase });
      expect(record.outcome).toMatchObject({ detail: expect.stringContaining('said so') });
      expect(await leftOf(bench)).toEqual([]);
    },
  );

  it.each<FakeOperation>(['commit', 'createContainer', 'put', 'get', 'runMain', 'removeImage'])(
    'while a snapshot is verified (%s): nothing stays but what the engine would not remove',
    async (operation) => {
      let armed = false;
      await using bench = await runBench({
        files: { 'tasks/demo/task.yaml': taskYaml(SNAPSHOT) },
        programs: {
          agent: () => {
            armed = true;
            return { ...GOOD_AGENT, changedFiles: { ...ANSWER, '/usr/bin/python3': 'cheat' } };
          },
        },
      });
      await bench.run({
        trials: ({ condition }) => condition === 'no-skills',
        onEvent: (event) => {
          if (armed && event.kind === 'phase-started' && event.phase === 'verify')
            bench.engine.failNext(operation, new EngineError(operation, 'unreachable', 'said so'));
        },
      });
      const [record] = bench.records;
      expect(said(record?.outcome)).toBe(operation === 'removeImage' ? 'passed' : 'runtime-lost');
      const left = await leftOf(bench);
      expect(left).toHaveLength(operation === 'removeImage' ? 1 : 0);
    },
  );
});

describe('a build that fails', () => {
  const files = { 'tasks/demo/environment/Dockerfile': 'FROM skillpair/base:1\nRUN exit 3\n' };
  it('shows the engine’s own reason with the step, once for the two arms, and no container is made', async () => {
    await using bench = await runBench({ files });
    const { reason } = await bench.run();
    expect(reason).toBe('done');
    for (const { outcome } of bench.records) {
      expect(outcome).toMatchObject({ reason: 'build-failed', phase: 'build' });
      expect(outcome).toMatchObject({
        detail: expect.stringMatching(/Step 2\/2 : RUN exit 3.*returned a non-zero code: 3/),
      });
    }
    expect(bench.engine.made).toEqual([]);
  });

  it('is not attempted again', async () => {
    await using bench = await runBench({
      files,
      experiment: 'configurations: [{ harness: agent }]\nattempts: { max: 5 }\n',
    });
    await bench.run();
    expect(bench.records.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });
});

describe('limits', () => {
  it('are clamped to the host, recorded as wished and as granted, and the same for agent and verifier', async () => {
    await using bench = await runBench({
      files: {
        'tasks/demo/task.yaml': taskYaml(undefined, 'environment: { cpus: 64, memory: 512GiB, pids: 99 }\n'),
      },
    });
    const { limits } = await bench.runArm('no-skills');
    expect(limits).toEqual({
      cpus: { wished: 64, granted: 8 },
      memoryBytes: { wished: 512 * 2 ** 30, granted: 16 * 2 ** 30 },
      pids: { wished: 99, granted: 99 },
      storageBytes: { wished: 10 * 2 ** 30, granted: 10 * 2 ** 30 },
      agentTimeoutMs: 60_000,
      verifierTimeoutMs: 30_000,
    });
    const given = bench.engine.made
      .filter(({ spec }) => spec.labels['skillpair.run'] !== undefined)
      .map(({ spec: { cpus, memoryBytes, pids } }) => [cpus, memoryBytes, pids]);
    expect(given).toEqual([
      [8, 16 * 2 ** 30, 99],
      [8, 16 * 2 ** 30, 99],
    ]);
  });
});

it('the fake engine of these tests starts with nothing of ours', async () => {
  expect(await makeFakeEngine().owned({ 'skillpair.managed': '1' }, new AbortController().signal)).toEqual(
    [],
  );
});
