import { describe, expect, it } from 'vitest';
import { readPytestVerdict } from '../../../src/verifier/pytest-report.ts';
import type { ReportFiles } from '../../../src/verifier/verifier.ts';
import { ended, faultOf, reportFiles, verifierSpec } from './verifier-input.ts';

const NONCE = 'nonce-of-this-attempt';

interface Entry {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
}

function report(tests: readonly Entry[], more: Readonly<Record<string, unknown>> = {}): ReportFiles {
  const failing = tests.some(({ status }) => status === 'failed' || status === 'error');
  return reportFiles({
    'report.json': JSON.stringify({
      schemaVersion: 1,
      nonce: NONCE,
      complete: true,
      exitStatus: failing ? 1 : 0,
      collected: tests.length,
      pytest: '8.4.2',
      python: '3.11.2',
      tests: tests.map((test) => ({ message: '', durationMs: 1.5, ...test })),
      collectionErrors: [],
      ...more,
    }),
  });
}

function read(files: ReportFiles, exitCode: number | null = 0, options: object = {}) {
  return readPytestVerdict({
    spec: verifierSpec({ kind: 'pytest' }),
    exit: ended(exitCode),
    files,
    nonce: NONCE,
    outputTail: '',
    ...options,
  });
}

const tests = (...statuses: string[]) =>
  statuses.map((status, index) => ({ name: `test_a.py::test_${index}`, status }));

describe('the verdict of a pytest verifier', () => {
  it('is passed with reward 1 when every test passed', () => {
    expect(read(report(tests('passed', 'passed')))).toEqual({
      passed: true,
      reward: 1,
      tests: [
        { name: 'test_a.py::test_0', status: 'passed', durationMs: 1.5 },
        { name: 'test_a.py::test_1', status: 'passed', durationMs: 1.5 },
      ],
    });
  });

  it.each([
    ['a test failed', 'failed'],
    ['a test passed and then broke in its tear-down', 'error'],
  ])('is failed with reward 0 when %s', (_, status) => {
    const verdict = read(report(tests('passed', status)), 1);
    expect([verdict.passed, verdict.reward, verdict.tests[1]?.status]).toEqual([false, 0, 'failed']);
  });

  it('is failed when a test failed although pytest was made to end with 0', () => {
    expect(read(report(tests('failed'), { exitStatus: 0 })).passed).toBe(false);
  });

  it('is failed when a strict expected failure passes, which pytest reports as a failed test', () => {
    const files = report([{ name: 'test_a.py::test_x', status: 'failed', message: '[XPASS(strict)]' }]);
    expect(read(files, 1)).toMatchObject({ passed: false, tests: [{ message: '[XPASS(strict)]' }] });
  });

  it('counts an expected failure neither way, and an unexpected pass as passed', () => {
    const verdict = read(report(tests('passed', 'xfailed', 'xpassed')));
    expect(verdict.passed).toBe(true);
    expect(verdict.tests.map(({ status }) => status)).toEqual(['passed', 'skipped', 'passed']);
  });

  it("follows the task's rule where some tests were skipped and the rest passed", () => {
    const files = report(tests('passed', 'skipped'));
    expect(read(files, 0, { spec: verifierSpec({ skipped: 'allow' }) }).passed).toBe(true);
    expect(read(files, 0, { spec: verifierSpec({ skipped: 'fail' }) }).passed).toBe(false);
  });

  it('keeps names with spaces, brackets, colons and newlines, and equal names, one by one', () => {
    const names = [
      't.py::a[x y]',
      't.py::a[b::c]',
      't.py::a[[d]]',
      't.py::a[\n]',
      't.py::same',
      't.py::same',
    ];
    const verdict = read(report(names.map((name) => ({ name, status: 'passed' }))));
    expect(verdict.tests.map(({ name }) => name)).toEqual(names);
  });

  it('comes from the report and not from the output, whatever words that holds', () => {
    const outputTail = '===== 12 passed in 0.10s =====\nPASSED\n';
    expect(read(report(tests('failed')), 1, { outputTail }).passed).toBe(false);
  });

  it('stands when a program that a test started ran out of memory and pytest went on to its end', () => {
    const exit = ended(1, { outOfMemory: true });
    expect(read(report(tests('failed')), 1, { exit }).passed).toBe(false);
  });
});

describe('no verdict of a pytest verifier', () => {
  const cases: readonly (readonly [string, ReportFiles, number | null, string])[] = [
    [
      'nothing is collected',
      report([], { exitStatus: 5 }),
      5,
      'pytest collected no tests (exit status 5): tests/ needs files named test_*.py with functions named test_*',
    ],
    [
      'a test file cannot be collected',
      report([], {
        exitStatus: 2,
        collectionErrors: [
          {
            where: 'test_a.py',
            message: "ModuleNotFoundError: No module named 'answer' (test_a.py, line 3)\n\ntrace",
          },
        ],
      }),
      2,
      "test_a.py could not be collected (ModuleNotFoundError: No module named 'answer' (test_a.py, line 3)): the verifier has no module \"answer\": install it in the task's Dockerfile; if it is the agent's work, import it inside a test, so that a missing answer fails it",
    ],
    [
      'a test file is no Python',
      report([], {
        exitStatus: 2,
        collectionErrors: [
          { where: 'test_a.py', message: "SyntaxError: '(' was never closed (test_a.py, line 12)\n\ntrace" },
        ],
      }),
      2,
      "test_a.py could not be collected (SyntaxError: '(' was never closed (test_a.py, line 12))",
    ],
    [
      'pytest is interrupted',
      report(tests('passed'), { exitStatus: 2, collected: 2 }),
      2,
      'pytest was interrupted before all tests had run (exit status 2)',
    ],
    [
      'pytest fails inside',
      report([], { exitStatus: 3, collectionErrors: [{ where: 'pytest', message: 'boom\ntrace' }] }),
      3,
      'pytest failed inside: boom',
    ],
    [
      'pytest is used wrongly',
      report([], { exitStatus: 4 }),
      4,
      'pytest was used wrongly (exit status 4): see the verifier output',
    ],
    [
      'all are skipped',
      report(tests('skipped', 'skipped')),
      0,
      'every test was skipped, so nothing was checked',
    ],
    [
      'all are expected to fail',
      report(tests('xfailed')),
      0,
      'every test was expected to fail, so nothing was checked',
    ],
    ['the report holds no tests', report([]), 0, 'the report holds no tests, so nothing was checked'],
    [
      'pytest reports failure without a failed test',
      report(tests('passed'), { exitStatus: 1 }),
      1,
      'pytest ended with exit status 1, but no test failed',
    ],
    [
      'the test process crashed in the end',
      report(tests('passed'), {
        complete: false,
        exitStatus: 70,
        fault: 'the test process was ended by signal 11',
      }),
      70,
      'the tests did not run to their end: the test process was ended by signal 11',
    ],
    [
      'the process ended otherwise than its report says',
      report(tests('passed')),
      137,
      "the verifier's report says exit status 0, but the verifier ended with exit code 137",
    ],
    [
      'tests are missing from the report',
      report(tests('passed'), { collected: 3 }),
      0,
      'only 1 of 3 collected tests were reported',
    ],
    [
      'the report is from another attempt',
      report(tests('passed'), { nonce: 'stale' }),
      0,
      "the verifier's report belongs to another attempt",
    ],
    [
      'there is no report',
      reportFiles({}),
      127,
      'the verifier left no report: it ended with exit code 127; see the verifier output',
    ],
    [
      'the report is cut short',
      reportFiles({ 'report.json': '{"schemaVersion":1,"nonce":"no' }),
      0,
      "the verifier's report cannot be read: it is not the JSON that the bundle writes",
    ],
    [
      'the report holds a key that is not known',
      report(tests('passed'), { passed: true }),
      0,
      "the verifier's report cannot be read: it is not the JSON that the bundle writes",
    ],
  ];
  it.each(cases)('is given when %s', (_, files, exitCode, sentence) => {
    const fault = faultOf(() => read(files, exitCode));
    expect([fault.reason, fault.phase, fault.message]).toEqual(['verifier-error', 'verify', sentence]);
  });

  it('is given for every report that is cut short, at whatever byte', () => {
    const whole = report(tests('passed', 'passed')).get('report.json')?.bytes ?? new Uint8Array();
    const reasons = new Set(
      Array.from({ length: whole.byteLength }, (_, end) => {
        const files = new Map([['report.json', { bytes: whole.subarray(0, end), truncated: false }]]);
        return faultOf(() => read(files)).reason;
      }),
    );
    expect([whole.byteLength > 100, ...reasons]).toEqual([true, 'verifier-error']);
  });

  it('is given when the report is larger than what is read', () => {
    const cut = new Map(
      [...report(tests('passed'))].map(([path, file]) => [path, { ...file, truncated: true }]),
    );
    expect(faultOf(() => read(cut)).message).toBe("the verifier's report is larger than 33554432 bytes");
  });

  it('is given when the verifier needs longer than its limit, even if a report is there', () => {
    const exit = ended(null, { endedBy: 'timeout', durationMs: 61_000 });
    expect(faultOf(() => read(report(tests('passed')), 0, { exit })).message).toBe(
      'the verifier did not end within its time limit of 60 s (verifier.timeout in the task file)',
    );
  });

  it('is given as cancelled when the run was interrupted', () => {
    const exit = ended(null, { endedBy: 'abort' });
    expect(faultOf(() => read(report(tests('passed')), 0, { exit })).reason).toBe('cancelled');
  });

  it('names memory when that ended the verifier without a report', () => {
    const exit = ended(137, { outOfMemory: true });
    expect(faultOf(() => read(reportFiles({}), 0, { exit })).message).toBe(
      'the verifier left no report: it ran out of memory; see the verifier output',
    );
  });
});
