import { z } from 'zod';
import type { MainExit } from '../engine/main-process.ts';
import { collectionFailureText } from '../model/collection-failure.ts';
import type { VerifierSpec } from '../model/task.ts';
import type { TestResult, Verdict } from '../model/verdict.ts';
import type { ReadVerdict, ReportFiles } from './verifier.ts';
import { describeExit, requireOwnEnd, verifierError } from './verifier-error.ts';

/** Largest report that is read, in bytes. */
const REPORT_LIMIT = 32 * 1024 * 1024;

const TestEntry = z.strictObject({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'error', 'skipped', 'xfailed', 'xpassed']),
  message: z.string(),
  durationMs: z.number().nonnegative(),
});
type TestEntry = z.infer<typeof TestEntry>;

/** `/logs/verifier/report.json`, as the pytest bundle writes it once all is over. */
const PytestReport = z.strictObject({
  schemaVersion: z.literal(1),
  nonce: z.string(),
  complete: z.boolean(),
  /** Why it is not complete. */
  fault: z.string().optional(),
  exitStatus: z.int(),
  collected: z.int().nonnegative(),
  pytest: z.string(),
  python: z.string(),
  tests: z.array(TestEntry),
  collectionErrors: z.array(z.strictObject({ where: z.string(), message: z.string() })),
});
type PytestReport = z.infer<typeof PytestReport>;

/** What pytest's exit statuses other than 0 and 1 say. */
const EXIT_STATUS: Readonly<Record<number, string>> = {
  2: 'pytest was interrupted before all tests had run (exit status 2)',
  3: 'pytest failed inside (exit status 3): see the verifier output',
  4: 'pytest was used wrongly (exit status 4): see the verifier output',
  5: 'pytest collected no tests (exit status 5): tests/ needs files named test_*.py with functions named test_*',
};

/**
 * The verdict of a `pytest` verifier, from its structured report alone and never from its output.
 * Passed: the whole report is there, exit status and process agree, and every test that counted passed.
 */
export const readPytestVerdict: ReadVerdict = ({ spec, exit, files, nonce }) => {
  requireOwnEnd(exit, spec);
  const report = readReport(files, exit);
  requireOwn(report, nonce);
  requireWhole(report, exit);
  return judge(report, spec);
};

function readReport(files: ReportFiles, exit: MainExit): PytestReport {
  const file = files.get('report.json');
  if (file === undefined) {
    throw verifierError(`the verifier left no report: it ${describeExit(exit)}; see the verifier output`);
  }
  if (file.truncated || file.bytes.byteLength > REPORT_LIMIT) {
    throw verifierError(`the verifier's report is larger than ${REPORT_LIMIT} bytes`);
  }
  try {
    return PytestReport.parse(JSON.parse(new TextDecoder().decode(file.bytes)));
  } catch (cause) {
    throw verifierError("the verifier's report cannot be read: it is not the JSON that the bundle writes", {
      cause,
    });
  }
}

function requireOwn(report: PytestReport, nonce: string): void {
  if (report.nonce !== nonce) throw verifierError("the verifier's report belongs to another attempt");
}

function requireWhole(report: PytestReport, exit: MainExit): void {
  if (!report.complete) {
    throw verifierError(`the tests did not run to their end: ${report.fault ?? 'no reason was given'}`);
  }
  const broken = report.collectionErrors[0];
  if (broken !== undefined) throw verifierError(describeCollection(broken));
  const status = EXIT_STATUS[report.exitStatus];
  if (status !== undefined) throw verifierError(status);
  if (exit.exitCode !== report.exitStatus) {
    throw verifierError(
      `the verifier's report says exit status ${report.exitStatus}, but the verifier ${describeExit(exit)}`,
    );
  }
  if (report.tests.length !== report.collected) {
    throw verifierError(`only ${report.tests.length} of ${report.collected} collected tests were reported`);
  }
}

/** The first line of a message names the exception and its place: the bundle puts it there. */
function describeCollection(error: { readonly where: string; readonly message: string }): string {
  const first = error.message.split('\n', 1)[0] ?? '';
  if (error.where === 'pytest') return `pytest failed inside: ${first}`;
  return collectionFailureText({ file: error.where, what: first });
}

function judge(report: PytestReport, spec: VerifierSpec): Verdict {
  const has = (...statuses: readonly TestEntry['status'][]) =>
    report.tests.some((test) => statuses.includes(test.status));
  const tests = report.tests.map(asTestResult);
  if (has('failed', 'error')) return verdict(false, tests);
  if (report.exitStatus !== 0) {
    throw verifierError(`pytest ended with exit status ${report.exitStatus}, but no test failed`);
  }
  if (!has('passed', 'xpassed')) throw verifierError(describeNothingChecked(report));
  return verdict(spec.skipped === 'allow' || !has('skipped'), tests);
}

function describeNothingChecked(report: PytestReport): string {
  if (report.tests.length === 0) return 'the report holds no tests, so nothing was checked';
  const states = new Set(report.tests.map((test) => test.status));
  if (states.size > 1) return 'every test was skipped or expected to fail, so nothing was checked';
  return `every test was ${states.has('skipped') ? 'skipped' : 'expected to fail'}, so nothing was checked`;
}

function verdict(passed: boolean, tests: readonly TestResult[]): Verdict {
  return { passed, reward: passed ? 1 : 0, tests: [...tests] };
}

/** An expected failure counts neither way and stands as skipped; an unexpected pass (not strict) stands as passed. */
function asTestResult(test: TestEntry): TestResult {
  const message = `${PREFIX[test.status] ?? ''}${test.message}`;
  return {
    name: test.name,
    status: STATUS[test.status],
    ...(message === '' ? {} : { message }),
    durationMs: test.durationMs,
  };
}

const STATUS = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
} as const satisfies Record<TestEntry['status'], TestResult['status']>;

const PREFIX: Partial<Record<TestEntry['status'], string>> = {
  xfailed: 'expected to fail: ',
  xpassed: 'passed, expected to fail: ',
};
