import type { MainExit } from '../../../src/engine/main-process.ts';
import { Fault } from '../../../src/model/fault.ts';
import type { VerifierSpec } from '../../../src/model/task.ts';
import type { ReportFiles } from '../../../src/verifier/verifier.ts';

/** A verifier's own end with the given exit code, 2 s after its start. */
export function ended(exitCode: number | null, more: Partial<MainExit> = {}): MainExit {
  return { exitCode, outOfMemory: false, durationMs: 2000, stdoutBytes: 0, stderrBytes: 0, ...more };
}

/** A spec with a limit of 60 s in which skipped tests fail. */
export function verifierSpec(more: Partial<VerifierSpec> = {}): VerifierSpec {
  return {
    kind: 'script',
    testsDir: '/project/tasks/demo/tests',
    timeoutMs: 60_000,
    network: 'none',
    isolation: 'outputs',
    outputs: [],
    env: {},
    skipped: 'fail',
    ...more,
  };
}

/** Report files from their texts. */
export function reportFiles(texts: Readonly<Record<string, string>>): ReportFiles {
  return new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { bytes: new TextEncoder().encode(text), truncated: false },
    ]),
  );
}

/** The fault that a reading throws; a reading that throws none fails the test. */
export function faultOf(reading: () => unknown): Fault {
  try {
    reading();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('the reading gave a verdict');
}
