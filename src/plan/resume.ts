import type { AttemptRecord } from '../model/attempt.ts';
import type { UnscoredReason } from '../model/outcome.ts';
import { isRepeatable } from '../model/repeatable.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { Plan, Trial } from '../model/trial.ts';

/** How much is to be done again. */
export interface ResumeOptions {
  /** Unscored trials get a fresh budget of attempts, whatever their reason. */
  readonly retryUnscored: boolean;
  /** Attempts a trial gets; the policy of the experiment as it is now. */
  readonly maxAttempts: number;
}

/** A trial that is still owed attempts. */
export interface TrialToRun {
  readonly trial: Trial;
  /** Number of the next attempt: one above the highest recorded. */
  readonly attempt: number;
  /** Attempts it may have from here on, at least 1; further ones only after `unscored`. */
  readonly attemptsLeft: number;
}

/**
 * What is left of a plan, in plan order. A scored trial is never run again. An unscored one goes on where it stood: while its
 * budget lasts and none of its reasons is one that repeating cannot mend. `cancelled` attempts cost no budget, since the runner ended them.
 * Records of trials that are not in the plan are ignored; their order does not matter.
 */
export function resume(
  plan: Plan,
  records: readonly Pick<TrialRecord, 'trial' | 'attempts'>[],
  options: ResumeOptions,
): TrialToRun[] {
  const recorded = new Map(records.map((record) => [record.trial.id, record.attempts]));
  return plan.trials.flatMap((trial) => {
    const attempts = recorded.get(trial.id) ?? [];
    const attemptsLeft = left(attempts, options);
    if (attemptsLeft < 1) return [];
    return [{ trial, attempt: highest(attempts) + 1, attemptsLeft }];
  });
}

function left(attempts: readonly AttemptRecord[], options: ResumeOptions): number {
  const reasons: UnscoredReason[] = [];
  for (const { outcome } of attempts) {
    if (outcome.kind === 'scored') return 0;
    if (outcome.reason !== 'cancelled') reasons.push(outcome.reason);
  }
  if (options.retryUnscored && attempts.length > 0) return options.maxAttempts;
  return reasons.every(isRepeatable) ? options.maxAttempts - reasons.length : 0;
}

function highest(attempts: readonly AttemptRecord[]): number {
  return attempts.reduce((most, { attempt }) => Math.max(most, attempt), 0);
}
