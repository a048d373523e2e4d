/** The part of vitest's JSON report that is counted. */
export interface TestReport {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** What a test run came to. `failures` names each failed test, file or fault of the run as a whole. */
export interface TestTally {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

/**
 * Counts a report so that nothing passes in silence: whatever did not run (skipped, to do, pending) counts as failed, so
 * does a file that could not be loaded, a run that failed outside every test, and a run without tests.
 */
export function testTally(report: TestReport | undefined, exitCode: number | undefined): TestTally {
  if (report === undefined) return tallyOf(0, ['the test run left no report']);
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const notPassed = tests.filter(({ status }) => status !== 'passed');
  const failures = [
    ...notPassed.map(({ status, fullName }) => `${status}: ${fullName}`),
    ...report.testResults.filter(isBroken).map(({ name }) => `could not be run: ${name}`),
  ];
  const passed = tests.length - notPassed.length;
  if (failures.length > 0) return tallyOf(passed, failures);
  if (tests.length === 0) return tallyOf(0, ['no test was run']);
  if (exitCode !== 0 || !report.success)
    return tallyOf(passed, [`the run failed outside every test (exit code ${exitCode})`]);
  return tallyOf(passed, []);
}

/** A file that failed although none of its tests did. */
function isBroken(file: TestReport['testResults'][number]): boolean {
  return file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed');
}

function tallyOf(passed: number, failures: readonly string[]): TestTally {
  return { passed, failed: failures.length, failures };
}
