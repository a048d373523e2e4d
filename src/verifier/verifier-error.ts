import type { MainExit } from '../engine/main-process.ts';
import { Fault } from '../model/fault.ts';
import type { VerifierSpec } from '../model/task.ts';

/** The {@link Fault} of a verifier that gave no verdict; `detail` is one sentence for people. */
export function verifierError(detail: string, options?: { cause?: unknown }): Fault {
  return new Fault('verifier-error', 'verify', detail, options);
}

/** Throws when anything but itself ended the verifier (a limit, an interrupt, the kernel): what it had written by then is not its last word. */
export function requireOwnEnd(exit: MainExit, spec: VerifierSpec): void {
  if (exit.endedBy === 'timeout') {
    throw verifierError(
      `the verifier did not end within its time limit of ${spec.timeoutMs / 1000} s (verifier.timeout in the task file)`,
    );
  }
  if (exit.endedBy === 'output') {
    throw verifierError(
      'the verifier wrote more output than is kept: print less, or to a file in /logs/verifier',
    );
  }
  if (exit.endedBy === 'abort') {
    throw new Fault('cancelled', 'verify', 'the run was interrupted while the verifier ran');
  }
  if (exit.exitCode === null) {
    throw verifierError(`the verifier did not run to its end: it ${describeExit(exit)}`);
  }
}

/** How the verifier's process ended, in words, for sentences that explain a missing report. */
export function describeExit(exit: MainExit): string {
  if (exit.outOfMemory) return 'ran out of memory';
  if (exit.exitCode !== null) return `ended with exit code ${exit.exitCode}`;
  return exit.signal === undefined ? 'was ended from outside' : `was ended by ${exit.signal}`;
}
