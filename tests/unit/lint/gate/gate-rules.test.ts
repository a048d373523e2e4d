import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GateEvidence } from '../../../../src/lint/gate/gate-rule.ts';
import { GATE_RULES, judgeGate } from '../../../../src/lint/gate/gate-rules.ts';
import type { AttemptRecord } from '../../../../src/model/attempt.ts';
import { collectionFailureText } from '../../../../src/model/collection-failure.ts';
import type { Outcome } from '../../../../src/model/outcome.ts';
import { aTask } from '../../../support/project-values.ts';
import { anAttempt, aTrial, scored, unscored } from '../../../support/record-values.ts';

const trial = (index = 1) => aTrial('one', 'with-skills', index, 'oracle');
const went = (...outcomes: Outcome[]): AttemptRecord[] =>
  outcomes.map((outcome, place) => anAttempt(trial(place + 1), 1, outcome));
const solution = { dir: '/tasks/one/solution', env: {} };
const sound: GateEvidence = {
  task: { ...aTask('one'), solution, almostRight: { dir: '/tasks/one/almost-right', env: {} } },
  oracle: went(scored(true)),
  oracleWithout: went(scored(true)),
  nop: went(scored(false)),
  almostRight: went(scored(false)),
  lastWords: new Map(),
};
const said = (evidence: Partial<GateEvidence>) =>
  judgeGate({ ...sound, ...evidence }).map(({ rule, severity }) => `${severity} ${rule}`);

/** Verified a second time with another status of one test. */
function reverified(status: 'passed' | 'failed', reward: number): AttemptRecord {
  const [record] = went(scored(true));
  if (record?.outcome.kind !== 'scored') throw new Error('not scored');
  const { verdict } = record.outcome;
  const tests = verdict.tests.map((test, place) => (place === 2 ? { ...test, status } : test));
  return { ...record, repeatedVerdicts: [{ ...verdict, reward, tests }] };
}

describe('the gate of a task', () => {
  it('has nothing to say of a sound task', () => {
    expect(said({ oracle: [reverified('passed', 1)] })).toEqual([]);
  });

  it('holds that the reference solution passes, and names what failed', () => {
    const oracle = went(scored(false));
    expect(said({ oracle, oracleWithout: oracle })).toEqual(['error oracle-fails']);
    expect(judgeGate({ ...sound, oracle })[0]).toMatchObject({
      message: 'the verifier fails the reference solution: test_outputs.py::test_0',
      where: { file: '/tasks/one/solution/solve.sh' },
      subject: 'one',
    });
  });

  it('notes that the solution needs the Skills, which is no fault', () => {
    expect(said({ oracleWithout: went(scored(false)) })).toEqual(['note oracle-needs-skills']);
  });

  it('holds that doing nothing fails, each single time', () => {
    expect(said({ nop: went(scored(true)) })).toEqual(['error nop-passes']);
    expect(said({ nop: went(scored(false), scored(true)) })).toEqual(['error nop-passes', 'error flaky']);
  });

  it('holds that the almost-right solution fails', () => {
    expect(said({ almostRight: went(scored(true)) })).toEqual(['error almost-right-passes']);
  });

  it('holds that the verifier says the same of the same work', () => {
    expect(said({ oracle: [reverified('failed', 1)] })).toEqual(['error verifier-differs']);
    expect(said({ oracle: [reverified('passed', 0.5)] })).toEqual(['error verifier-differs']);
  });

  it('never takes a trial without a verdict for a passed or a failed one', () => {
    const lost = went(unscored('verifier-error'));
    expect(said({ oracle: lost, nop: lost })).toEqual(['error trial-unscored']);
  });

  it('tells one cause once, at the line of the test file that cannot be collected', () => {
    const detail = collectionFailureText({
      file: 'test_outputs.py',
      what: "ModuleNotFoundError: No module named 'pandas' (test_outputs.py, line 15)",
    });
    const lost = went({ kind: 'unscored', reason: 'verifier-error', phase: 'verify', detail });
    const [finding, ...more] = judgeGate({
      ...sound,
      oracle: lost,
      nop: lost,
      oracleWithout: [],
      almostRight: [],
    });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'trial-unscored',
      where: { file: join(sound.task.verifier.testsDir, 'test_outputs.py'), line: 15 },
      repair: expect.stringContaining('no module "pandas"'),
    });
  });

  it('gives the rate of a flake with its interval, and the failing tests', () => {
    const oracle = went(...[true, true, false, true, true].map(scored));
    const [finding] = judgeGate({ ...sound, oracle });
    // Wilson for 4 of 5: 0.3755 to 0.9638.
    expect(finding).toMatchObject({
      rule: 'flaky',
      message:
        'the reference solution does not always end alike: 4 of 5 passed (95 % interval 38 % to 96 %); failed: test_outputs.py::test_0',
    });
  });

  it('warns of a time limit that the solution alone half uses up', () => {
    const [record] = sound.oracle;
    const { timeoutMs } = sound.task.agent;
    const slow = (share: number) => [
      { ...record, agent: { ...record?.agent, durationMs: share * timeoutMs } } as AttemptRecord,
    ];
    expect(said({ oracle: slow(0.51) })).toEqual(['warning oracle-near-limit']);
    expect(said({ oracle: slow(0.49) })).toEqual([]);
  });

  it('has each rule once', () => {
    const names = GATE_RULES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
