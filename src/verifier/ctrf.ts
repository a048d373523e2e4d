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
        /** Milliseconds by the format; see {@link unitOfDurations}. */
        duration: z.number().nonnegative().optional(),
        start: z.number().optional(),
        stop: z.number().optional(),
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
    const { tests } = CtrfReport.parse(JSON.parse(new TextDecoder().decode(bytes))).results;
    const unit = unitOfDurations(tests);
    return tests.map((test) => asTestResult(test, unit));
  } catch {
    return undefined;
  }
}

/** In milliseconds since 1970 this is a moment of 1973; in seconds, one of the year 5138. */
const SECONDS_BELOW = 1e11;

/**
 * Milliseconds in one unit of `duration`. Some versions of the pytest plugin write seconds there, beside start and stop in
 * seconds; others write milliseconds beside the same. No test lasts longer than from its start to its stop.
 */
function unitOfDurations(tests: readonly CtrfTest[]): 1 | 1000 {
  const inSeconds = tests.every(
    ({ duration = 0, start = Number.POSITIVE_INFINITY, stop = 0 }) =>
      start < SECONDS_BELOW && duration <= stop - start,
  );
  return inSeconds ? 1000 : 1;
}

function asTestResult(test: CtrfTest, unit: number): TestResult {
  const message = [test.message, test.trace].filter(Boolean).join('\n\n').slice(0, MESSAGE_LIMIT);
  return {
    name: test.name,
    status: asStatus(test.status),
    ...(message === '' ? {} : { message }),
    ...(test.duration === undefined ? {} : { durationMs: test.duration * unit }),
  };
}

/** CTRF's `pending` and `other` ran to no result. */
function asStatus(status: string): TestResult['status'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}
