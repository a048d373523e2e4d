import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import type { FakeProgram } from '../../fakes/fake-container.ts';
import { ANY_VERDICT, GOOD_AGENT, leftOf, runBench, said, talk, VERIFIER } from './run-bench.ts';

const experiment = (lines: string) => `configurations: [{ harness: agent }]\n${lines}`;
const attempts = (max: number, rest = '') => experiment(`attempts: { max: ${max}${rest} }\n`);
const unreachable = () => new EngineError('start container', 'unreachable', 'connection refused');

/** A program whose n-th call (from 1) does something else. */
function sometimes(usual: FakeProgram, odd: Readonly<Record<number, FakeProgram>>): FakeProgram {
  let calls = 0;
  return (...given) => (odd[++calls] ?? usual)(...given);
}
const good: FakeProgram = () => GOOD_AGENT;
const noEnd: FakeProgram = () => ({ stdout: talk().split('\n')[0] ?? '' });

describe('further attempts', () => {
  it('follow an unscored one, as far as the policy goes, each with its own record', async () => {
    await using bench = await runBench({ experiment: attempts(3), programs: { agent: noEnd } });
    await bench.run();
    const arms = ['no-skills', 'with-skills'].map((condition) =>
      bench.records
        .filter(({ trial }) => trial.condition === condition)
        .map(({ attempt, outcome }) => [attempt, said(outcome)]),
    );
    const three = [1, 2, 3].map((attempt) => [attempt, 'harness-protocol']);
    expect(arms).toEqual([three, three]);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('end with the first scored one, passed or failed', async () => {
    const failing: FakeProgram = () => ({ stdout: talk() });
    await using bench = await runBench({
      experiment: attempts(5),
      programs: { agent: sometimes(failing, { 1: noEnd }) },
    });
    await bench.run({ trials: ({ condition }) => condition === 'no-skills' });
    expect(bench.records.map(({ attempt, outcome }) => [attempt, said(outcome)])).toEqual([
      [1, 'harness-protocol'],
      [2, 'failed'],
    ]);
  });

  it('never follow a failed trial: a second go must not hide it', async () => {
    await using bench = await runBench({ experiment: attempts(5), programs: { agent: { stdout: talk() } } });
    await bench.run();
    expect(bench.records.map(({ attempt, outcome }) => [attempt, said(outcome)])).toEqual([
      [1, 'failed'],
      [1, 'failed'],
    ]);
  });

  it('never follow an outcome that is settled', async () => {
    await using bench = await runBench({ experiment: attempts(3), programs: { agent: noEnd } });
    await bench.run({ isSettled: ({ kind }) => kind === 'unscored' });
    expect(bench.records.map(({ attempt, outcome }) => [attempt, said(outcome)])).toEqual([
      [1, 'harness-protocol'],
      [1, 'harness-protocol'],
    ]);
  });

  it('are told: only the last end of a trial is final', async () => {
    await using bench = await runBench({
      experiment: attempts(2),
      programs: { agent: sometimes(good, { 1: noEnd }) },
    });
    await bench.run({ trials: ({ condition }) => condition === 'with-skills' });
    const ends = bench.events.filter((event) => event.kind === 'trial-ended');
    expect(ends.map(({ attempt, final }) => [attempt, final])).toEqual([
      [1, false],
      [2, true],
    ]);
  });
});

describe('the policy onUnscored', () => {
  const programs = { agent: sometimes(good, { 1: noEnd }) };
  const how = (word: string) =>
    experiment(`attempts: { max: 1, onUnscored: ${word} }\nconcurrency: 1\ntrials: 3\n`);

  it('continue: goes on with all others', async () => {
    await using bench = await runBench({
      experiment: how('continue'),
      programs: { agent: sometimes(good, { 1: noEnd }) },
    });
    const { reason } = await bench.run();
    expect([reason, bench.records.length]).toEqual(['done', 6]);
  });

  it('stop-new: starts nothing more', async () => {
    await using bench = await runBench({ experiment: how('stop-new'), programs });
    const { reason } = await bench.run();
    expect([reason, bench.records.map(({ outcome }) => said(outcome))]).toEqual([
      'stopped',
      ['harness-protocol'],
    ]);
  });

  it('stop-now: ends what runs as cancelled', async () => {
    const other: FakeProgram = (_files, _spec, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
    await using bench = await runBench({
      experiment: experiment('attempts: { max: 1, onUnscored: stop-now }\nconcurrency: 2\n'),
      programs: { agent: sometimes(other, { 2: noEnd }) },
    });
    await bench.run();
    expect(bench.records.map(({ outcome }) => said(outcome)).sort()).toEqual([
      'cancelled',
      'harness-protocol',
    ]);
    expect(await leftOf(bench)).toEqual([]);
  });
});

describe('an interrupt', () => {
  it('once: what runs is finished and scored, nothing new is started', async () => {
    const drain = new AbortController();
    await using bench = await runBench({
      experiment: experiment('concurrency: 1\ntrials: 4\n'),
      programs: {
        agent: () => {
          drain.abort();
          return GOOD_AGENT;
        },
      },
    });
    const { reason, failure } = await bench.run({ drain: drain.signal });
    expect(reason).toBe('interrupted');
    expect(failure).toBeUndefined();
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed']);
  });

  it('once, while the last trial runs, cuts nothing short: the run is done', async () => {
    const drain = new AbortController();
    await using bench = await runBench({
      programs: {
        agent: () => {
          drain.abort();
          return GOOD_AGENT;
        },
      },
    });
    const trials = ({ condition }: { condition: string }) => condition === 'with-skills';
    const { reason } = await bench.run({ drain: drain.signal, trials });
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed']);
    expect(reason).toBe('done');
  });

  it.each(['build', 'start', 'inject', 'check', 'agent', 'verify'] as const)(
    'twice, as %s begins: the trial is cancelled and nothing of it stays',
    async (phase) => {
      const stop = new AbortController();
      await using bench = await runBench({ experiment: attempts(3) });
      const { reason, leftBehind, failure } = await bench.run({
        stop,
        trials: ({ condition }) => condition === 'with-skills',
        onEvent: (event) => {
          if (event.kind === 'phase-started' && event.phase === phase) stop.abort();
        },
      });
      expect([reason, leftBehind, failure]).toEqual(['interrupted', [], undefined]);
      expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['cancelled']);
      expect(await leftOf(bench)).toEqual([]);
    },
  );

  it.each(['agent', 'bash /tests/test.sh'])(
    'twice while %s runs: it is ended and its trial cancelled',
    async (program) => {
      const stop = new AbortController();
      const waiting: FakeProgram = (_files, _spec, signal) => {
        queueMicrotask(() => stop.abort());
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
      };
      await using bench = await runBench({ programs: { [program]: waiting } });
      await bench.run({ stop, trials: ({ condition }) => condition === 'no-skills' });
      expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['cancelled']);
      expect(await leftOf(bench)).toEqual([]);
    },
  );
});

describe('an engine that goes away midway', () => {
  it('costs the running trial one attempt, is told, and the run goes on when it is back', async () => {
    await using bench = await runBench({ experiment: attempts(2) });
    let isLost = false;
    // Once, however near to one another both trials begin.
    const lose = (event: RunEvent) => {
      if (isLost || event.kind !== 'phase-started' || event.phase !== 'agent') return;
      isLost = true;
      bench.engine.failNext('runMain', unreachable());
      bench.engine.failNext('info', unreachable());
    };
    const { reason, failure } = await bench.run({ onEvent: lose });
    expect([reason, failure]).toEqual(['done', undefined]);
    const outcomes = bench.records.map(({ attempt, outcome }) => [attempt, said(outcome)]);
    expect(outcomes.sort()).toEqual([
      [1, 'passed'],
      [1, 'runtime-lost'],
      [2, 'passed'],
    ]);
    const notices = bench.events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []));
    expect(notices).toEqual([
      'the container engine does not answer: no trial is started until it does',
      'the container engine answers again: going on',
    ]);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('for good: no trial is burnt, the run ends and says that it is the engine', async () => {
    await using bench = await runBench({
      experiment: experiment('concurrency: 1\ntrials: 5\nattempts: { max: 2 }\n'),
    });
    bench.engine.failNext('createContainer', unreachable());
    for (let asked = 0; asked < 10; asked++) bench.engine.failNext('info', unreachable());
    const { reason, failure } = await bench.run({ patienceMs: 10 });
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['runtime-lost']);
    expect(reason).toBe('stopped');
    expect(failure).toBeInstanceOf(EngineError);
    expect(failure).toMatchObject({ kind: 'unreachable' });
  });

  it('and an interrupt meanwhile: the run ends at once, as interrupted and not as a failure', async () => {
    const drain = new AbortController();
    await using bench = await runBench({ experiment: attempts(2) });
    bench.engine.failNext('createContainer', unreachable());
    for (let asked = 0; asked < 10; asked++) bench.engine.failNext('info', unreachable());
    const { reason, failure } = await bench.run({
      drain: drain.signal,
      trials: ({ condition }) => condition === 'no-skills',
      onEvent: ({ kind }) => {
        if (kind === 'notice') drain.abort();
      },
    });
    expect([reason, failure, bench.records.length]).toEqual(['interrupted', undefined, 1]);
  });
});

describe('a disk that is full', () => {
  it('stops the run with that reason: what is not on disk did not happen', async () => {
    await using bench = await runBench({ experiment: experiment('concurrency: 1\ntrials: 4\n') });
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    let commits = 0;
    const { reason, failure } = await bench.run({
      commit: async () => {
        if (++commits === 2) throw full;
      },
    });
    expect([reason, failure, bench.records.length]).toEqual(['stopped', full, 1]);
    expect(bench.events.filter(({ kind }) => kind === 'trial-ended')).toHaveLength(1);
    expect(await leftOf(bench)).toEqual([]);
  });
});

describe('a fault of skillpair itself', () => {
  it('leaves its trial unscored with the stack, is not tried again, and stops new trials', async () => {
    await using bench = await runBench({
      experiment: experiment('concurrency: 1\ntrials: 4\nattempts: { max: 3 }\n'),
    });
    const { reason } = await bench.run({
      services: {
        readVerdict: {
          pytest: () => ANY_VERDICT,
          script: () => {
            throw new TypeError('undefined is not a verdict');
          },
        },
      },
    });
    expect(reason).toBe('stopped');
    expect(bench.records).toHaveLength(1);
    expect(bench.records[0]?.outcome).toMatchObject({
      reason: 'internal',
      phase: 'verify',
      detail: expect.stringMatching(/TypeError: undefined is not a verdict\n\s+at /),
    });
    expect(await leftOf(bench)).toEqual([]);
  });
});

describe('a container that cannot be removed', () => {
  it.each([0, 1])('is named once, and the verdict stands (removal %i of the trial)', async (which) => {
    await using bench = await runBench();
    await bench.run();
    bench.records.length = 0;
    let verifying = false;
    const busy = new EngineError('remove container', 'other', 'device or resource busy');
    const { leftBehind } = await bench.run({
      trials: ({ condition }) => condition === 'no-skills',
      onEvent: (event) => {
        if (event.kind !== 'phase-started' || event.phase !== 'verify' || verifying) return;
        verifying = true;
        if (which === 0) bench.engine.failNext('removeContainer', busy);
      },
      services: {
        readVerdict: {
          pytest: () => ANY_VERDICT,
          script: () => {
            if (which === 1) bench.engine.failNext('removeContainer', busy);
            return ANY_VERDICT;
          },
        },
      },
    });
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed']);
    expect(leftBehind).toEqual([
      expect.stringMatching(
        /^container skillpair-bench-run-[0-9a-f]{12}-1-(agent|verifier): .*resource busy$/,
      ),
    ]);
    expect(await bench.engine.owned({ 'skillpair.run': '' }, new AbortController().signal)).toHaveLength(1);
    const notices = bench.events.filter(({ kind }) => kind === 'notice');
    expect(notices).toHaveLength(1);
  });
});

describe('concurrency', () => {
  it('runs as many trials at once as it says, and no more', async () => {
    let [now, most] = [0, 0];
    const third = Promise.withResolvers<void>();
    const agent: FakeProgram = async () => {
      most = Math.max(most, ++now);
      if (now === 3) third.resolve();
      await third.promise;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return GOOD_AGENT;
    };
    await using bench = await runBench({
      experiment: experiment('concurrency: 3\ntrials: 6\n'),
      programs: { agent, 'bash /tests/test.sh': VERIFIER },
    });
    await bench.run();
    expect([most, bench.records.length]).toEqual([3, 12]);
    expect(bench.engine.callsOf('build')).toHaveLength(1);
    expect(await leftOf(bench)).toEqual([]);
  });
});
