import type { AttemptRecord } from '../model/attempt.ts';
import { type Outcome, UNSCORED_REASONS } from '../model/outcome.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { Trial } from '../model/trial.ts';

const NOT_RUN: Outcome = {
  kind: 'unscored',
  reason: 'not-run',
  phase: 'build',
  detail: UNSCORED_REASONS['not-run'],
};

/**
 * Which attempt counts: the first scored one by number, never the best, and never an unscored one when any is scored;
 * else the last unscored. The attempts may come in any order.
 */
export function trialRecord(trial: Trial, attempts: readonly AttemptRecord[]): TrialRecord {
  const inOrder = attempts.length < 2 ? attempts : [...attempts].sort((a, b) => a.attempt - b.attempt);
  const counted = inOrder.find(({ outcome }) => outcome.kind === 'scored') ?? inOrder.at(-1);
  return { trial, attempts: inOrder, counted, outcome: counted?.outcome ?? NOT_RUN };
}
