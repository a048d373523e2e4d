import { describe, expect, it } from 'vitest';
import type { GateEvidence, LastWords } from '../../../../src/lint/gate/gate-rule.ts';
import { judgeGate } from '../../../../src/lint/gate/gate-rules.ts';
import type { AttemptRecord } from '../../../../src/model/attempt.ts';
import { aTask } from '../../../support/project-values.ts';
import { anAttempt, aTrial, scored } from '../../../support/record-values.ts';

const STDERR = '/evidence/agent/stderr.log';
const dir = (name: string) => ({ dir: `/tasks/one/${name}`, env: {} });
const task = {
  ...aTask('one'),
  solution: dir('solution'),
  almostRight: dir('almost-right'),
  verifier: { ...aTask('one').verifier, isolation: 'outputs' as const, outputs: ['/workspace/out'] },
};

/** An attempt whose tests failed with these messages, by name; none: it passed. */
function went(
  failures: Readonly<Record<string, string>>,
  { exitCode = 0, absent = [] }: { readonly exitCode?: number; readonly absent?: readonly string[] } = {},
): AttemptRecord {
  const failed = Object.entries(failures);
  const tests = [
    ...failed.map(([name, message]) => ({ name, message, status: 'failed' as const })),
    { name: 'test_shape', status: 'passed' as const },
  ];
  const isPassed = failed.length === 0;
  const record = anAttempt(aTrial('one', 'with-skills', 1, 'oracle'), 1, {
    kind: 'scored',
    verdict: { passed: isPassed, reward: isPassed ? 1 : 0, tests },
  });
  const paths = absent.map((path) => `${path} (absent)`);
  return {
    ...record,
    agent: {
      ending: exitCode === 0 ? 'completed' : 'crashed',
      exitCode,
      durationMs: 1000,
      stdoutBytes: 0,
      stderrBytes: 0,
    },
    notices: absent.length === 0 ? [] : [{ code: 'outputs-left-out', detail: 'left out', paths }],
  };
}

const MISSING = 'AssertionError: /workspace/out/a.csv is missing';
const nop = went({ test_rows: MISSING, test_sum: MISSING }, { absent: ['/workspace/out'] });
const sound: GateEvidence = {
  task,
  oracle: [went({})],
  oracleWithout: [],
  nop: [nop],
  almostRight: [went({ test_sum: 'AssertionError: assert 41 == 42' })],
  lastWords: new Map(),
};
const saying = (record: AttemptRecord, line: string) =>
  new Map<AttemptRecord, LastWords>([[record, { line, file: STDERR }]]);
const judged = (evidence: Partial<GateEvidence>) => judgeGate({ ...sound, ...evidence });
const rules = (evidence: Partial<GateEvidence>) =>
  judged(evidence).map(({ rule, severity }) => `${severity} ${rule}`);

describe('an almost-right solution', () => {
  it('is sound where it runs to its end, leaves something, and fails in less than doing nothing does', () => {
    expect(rules({})).toEqual([]);
  });

  it('proves nothing where it stops, however early its tests fail', () => {
    const record = went({ test_sum: 'AssertionError: assert 41 == 42' }, { exitCode: 1 });
    expect(rules({ almostRight: [record] })).toEqual(['error almost-right-stops']);
    const [finding] = judged({
      almostRight: [record],
      lastWords: saying(record, "ModuleNotFoundError: No module named 'cvs'"),
    });
    expect(finding).toMatchObject({
      where: { file: '/tasks/one/almost-right/solve.sh' },
      message: expect.stringContaining(
        `it ended with exit code 1: "ModuleNotFoundError: No module named 'cvs'" (${STDERR})`,
      ),
    });
  });

  it('proves nothing where it ends well and leaves none of the declared outputs', () => {
    const record = went({ test_rows: MISSING, test_sum: MISSING }, { absent: ['/workspace/out'] });
    expect(rules({ almostRight: [record] })).toEqual(['error almost-right-stops']);
    const two = { ...task, verifier: { ...task.verifier, outputs: ['/workspace/out', '/workspace/log'] } };
    expect(
      rules({ task: two, almostRight: [went({ test_sum: 'x' }, { absent: ['/workspace/log'] })] }),
    ).toEqual([]);
  });

  it('is doubted where the same tests fail in the same words as without any work', () => {
    const record = went({ test_rows: MISSING, test_sum: MISSING });
    const [finding] = judged({ almostRight: [record] });
    expect(finding).toMatchObject({ rule: 'almost-right-like-nop', severity: 'warning' });
    expect(finding?.message).toContain('fails the same 2 tests');
    expect(finding?.message).toContain('test_rows, test_sum');
  });

  it('is noted where the same tests fail for other reasons, unless there is only one test to fail', () => {
    const wrong = went({ test_rows: 'assert 3 == 4', test_sum: 'assert 41 == 42' });
    expect(rules({ almostRight: [wrong] })).toEqual(['note almost-right-like-nop']);
    const one = { nop: [went({ test_sum: MISSING })], almostRight: [went({ test_sum: 'assert 41 == 42' })] };
    expect(rules(one)).toEqual([]);
  });
});

describe('a reference solution that fails', () => {
  it('is told with its exit code, its last words, where all of them are, and what the first test said', () => {
    const record = went({ test_sum: `${MISSING}\nassert False` }, { exitCode: 1 });
    const [finding] = judged({
      oracle: [record],
      lastWords: saying(record, 'solve.sh: line 3: cvs: not found'),
    });
    expect(finding).toMatchObject({
      rule: 'oracle-fails',
      message:
        'the verifier fails the reference solution: test_sum; it ended with exit code 1: ' +
        `"solve.sh: line 3: cvs: not found" (${STDERR}); the first says: ${MISSING}`,
      repair: 'mend the script where it stopped',
    });
  });

  it('says that a script which stopped said nothing', () => {
    const [finding] = judged({ oracle: [went({ test_sum: '' }, { exitCode: 1 })] });
    expect(finding?.message).toBe(
      'the verifier fails the reference solution: test_sum; it ended with exit code 1, with nothing on standard error',
    );
  });

  it('points to the outputs where it ended well and one of them was not there', () => {
    const [finding] = judged({ oracle: [went({ test_sum: MISSING }, { absent: ['/workspace/result'] })] });
    expect(finding?.message).toContain('; it left no /workspace/result');
    expect(finding?.repair).toContain('verifier.outputs');
  });

  it('is told alone where the almost-right one leaves nothing either', () => {
    const nothing = went({ test_sum: MISSING }, { absent: ['/workspace/out'] });
    expect(rules({ oracle: [nothing], almostRight: [nothing], nop: [nothing] })).toEqual([
      'error oracle-fails',
    ]);
  });

  it('is doubted where it passes without having run to its end', () => {
    expect(rules({ oracle: [went({}, { exitCode: 2 })] })).toEqual(['warning oracle-stops']);
  });
});

it('takes nothing for an exit code that an attempt without an agent does not have', () => {
  const { agent: _, ...record } = anAttempt(aTrial('one', 'with-skills'), 1, scored(false));
  expect(rules({ almostRight: [record] })).toEqual([]);
});
