import type { AttemptRecord } from '../model/attempt.ts';
import type { Phase } from '../model/phase.ts';

/** Times the phases of one attempt, in order, on the monotonic clock, and knows the one under way. */
export class PhaseClock {
  readonly phases: AttemptRecord['phases'] = [];
  current: Phase = 'build';
  readonly #started: (phase: Phase) => void;
  readonly #ended: (phase: Phase, durationMs: number) => void;

  constructor(listener: { started(phase: Phase): void; ended(phase: Phase, durationMs: number): void }) {
    this.#started = (phase) => listener.started(phase);
    this.#ended = (phase, durationMs) => listener.ended(phase, durationMs);
  }

  /** Runs one phase. When it rejects, its time is still recorded and `current` still names it. */
  run<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    this.current = phase;
    return this.beside(phase, work);
  }

  /** Times work that goes on beside the phase under way, which stays the one that a failure is put down to. */
  async beside<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    this.#started(phase);
    try {
      return await work();
    } finally {
      const durationMs = performance.now() - from;
      this.phases.push({ phase, durationMs });
      this.#ended(phase, durationMs);
    }
  }
}
