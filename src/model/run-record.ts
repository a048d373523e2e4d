import type { AttemptRecord } from './attempt.ts';
import type { Outcome } from './outcome.ts';
import type { RunLock } from './run-lock.ts';
import type { Trial } from './trial.ts';

/** A planned trial with its attempts in order and the one that counts. */
export interface TrialRecord {
  readonly trial: Trial;
  readonly attempts: readonly AttemptRecord[];
  /** The first scored attempt, else the last unscored one; absent when it never ran. */
  readonly counted: AttemptRecord | undefined;
  /** Of the counted attempt; `not-run` without one, and `arms-differ` where the pair it belongs to proves nothing. */
  readonly outcome: Outcome;
}

/** A run folder, read back: what measure and report work from. */
export interface RunRecord {
  readonly lock: RunLock;
  /** In plan order. */
  readonly trials: readonly TrialRecord[];
  /** Notices met while reading (a torn last line, say). */
  readonly notices: readonly string[];
  readonly endedBy: 'done' | 'interrupted' | 'stopped' | 'unfinished';
}
