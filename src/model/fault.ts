import type { UnscoredReason } from './outcome.ts';
import type { Phase } from './phase.ts';

/** Something the world did that leaves a trial without a verdict. Thrown inside a phase, caught once per attempt. */
export class Fault extends Error {
  readonly reason: UnscoredReason;
  readonly phase: Phase;
  constructor(reason: UnscoredReason, phase: Phase, detail: string, options?: { cause?: unknown }) {
    super(detail, options);
    this.name = 'Fault';
    this.reason = reason;
    this.phase = phase;
  }
}
