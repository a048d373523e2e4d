import { z } from 'zod';
import type { TestResult } from '../model/verdict.ts';
import type { ReportFiles } from './verifier.ts';

const CTRF_NAME = /^[^/]*ctrf[^/]*\.json$/i;
const MESSAGE_LIMIT = 4000;

/** The part of a Common Test Report Format file that is used; the rest is free. */
const CtrfReport = z.object({
  results: z.object({
    tests: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        /** Milliseconds. */
        duration: z.number().nonnegative().optional(),
        message: z.string().nullish(),
        trace: z.string().nullish(),
      }),
    ),
  }),
});
type CtrfTest = z.infer<typeof CtrfReport>['results']['tests'][number];

/**
 * The single checks of a script verifier, from every CTRF file it left at the top of its report folder, in order of names.
 * They are evidence beside the reward: a file that cannot be read gives none. `undefined`: no CTRF file that could be read.
 */
export function readCtrf(files: ReportFiles): readonly TestResult[] | undefined {
  const reports = [...files]
    .filter(([path, file]) => CTRF_NAME.test(path) && !file.truncated)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, file]) => parse(file.bytes))
    .filter((tests) => tests !== undefined);
  return reports.length === 0 ? undefined : reports.flat();
}

function parse(bytes: Uint8Array): readonly TestResult[] | undefined {
  try {
    return CtrfReport.parse(JSON.parse(new TextDecoder().decode(bytes))).results.tests.map(asTestResult);
  } catch {
    return undefined;
  }
}

function asTestResult(test: CtrfTest): TestResult {
  const message = [test.message, test.trace].filter(Boolean).join('\n\n').slice(0, MESSAGE_LIMIT);
  return {
    name: test.name,
    status: asStatus(test.status),
    ...(message === '' ? {} : { message }),
    ...(test.duration === undefined ? {} : { durationMs: test.duration }),
  };
}

/** CTRF's `pending` and `other` ran to no result. */
function asStatus(status: string): TestResult['status'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}
