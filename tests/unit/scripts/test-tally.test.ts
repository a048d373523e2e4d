import { describe, expect, test } from 'vitest';
import { type TestReport, testTally } from '../../../scripts/test-tally.ts';

function reportOf(
  statuses: readonly string[],
  file: { status?: string; success?: boolean } = {},
): TestReport {
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `test ${index + 1}` }));
  const { status = 'passed', success = true } = file;
  return { success, testResults: [{ name: 'some.test.ts', status, assertionResults }] };
}

describe('testTally', () => {
  test('counts tests that passed', () => {
    expect(testTally(reportOf(['passed', 'passed']), 0)).toEqual({ passed: 2, failed: 0, failures: [] });
  });

  test('counts failed tests and names them', () => {
    const tally = testTally(reportOf(['passed', 'failed'], { status: 'failed', success: false }), 1);
    expect(tally).toEqual({ passed: 1, failed: 1, failures: ['failed: test 2'] });
  });

  test.each(['skipped', 'todo', 'pending'])('counts a test that is %s as failed', (status) => {
    expect(testTally(reportOf(['passed', status]), 0)).toMatchObject({ passed: 1, failed: 1 });
  });

  test('counts a file that could not be loaded', () => {
    const tally = testTally(reportOf([], { status: 'failed', success: false }), 1);
    expect(tally).toEqual({ passed: 0, failed: 1, failures: ['could not be run: some.test.ts'] });
  });

  test('does not let a run pass that failed outside every test', () => {
    expect(testTally(reportOf(['passed']), 1)).toMatchObject({ passed: 1, failed: 1 });
  });

  test('does not let a run pass that ran no test', () => {
    expect(testTally({ success: true, testResults: [] }, 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('does not let a run pass that left no report', () => {
    expect(testTally(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});
