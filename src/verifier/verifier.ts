import type { MainExit } from '../engine/main-process.ts';
import type { VerifierSpec } from '../model/task.ts';
import type { Verdict } from '../model/verdict.ts';

/** Files of the verifier's report folder (`/logs/verifier`), by path relative to it. Oversize ones are cut and marked. */
export type ReportFiles = ReadonlyMap<string, { readonly bytes: Uint8Array; readonly truncated: boolean }>;

/**
 * Turns what a verifier left into a verdict. `nonce` is this attempt's: a report without it is somebody else's.
 * Throws Fault `verifier-error` (phase `verify`) with one sentence when there is no complete report.
 */
export type ReadVerdict = (input: {
  readonly spec: VerifierSpec;
  readonly exit: MainExit;
  readonly files: ReportFiles;
  readonly nonce: string;
  /** Last part of the verifier's output, for telling a failed installation from a wrong answer. */
  readonly outputTail: string;
}) => Verdict;
