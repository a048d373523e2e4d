import type { Notice } from './attempt.ts';
import type { TrialId } from './ids.ts';
import type { Outcome } from './outcome.ts';

/** A trial of a run whose kept work was verified once more. */
export interface VerifiedAgain {
  readonly trial: TrialId;
  /** Which attempt's work it was. */
  readonly attempt: number;
  /** As the run has it. */
  readonly recorded: Outcome;
  readonly now: Outcome;
  /** Something of the task is not what it was when the work was done: image, tests, limits or instruction. */
  readonly taskChanged: boolean;
  /** Noticed now: output that was cut, reports that were left out. */
  readonly notices: readonly Notice[];
}

/** A trial of a run that cannot be verified once more, and why. */
export interface NotVerifiable {
  readonly trial: TrialId;
  readonly why: string;
}

/** Whether both say the same: the reward, and each check's name and state; or, without a verdict, the reason. */
export function agrees({ recorded, now }: Pick<VerifiedAgain, 'recorded' | 'now'>): boolean {
  if (recorded.kind === 'unscored' || now.kind === 'unscored') {
    return recorded.kind === now.kind && reasonOf(recorded) === reasonOf(now);
  }
  return recorded.verdict.reward === now.verdict.reward && checks(recorded) === checks(now);
}

function reasonOf(outcome: Outcome): string | undefined {
  return outcome.kind === 'unscored' ? outcome.reason : undefined;
}

function checks({ verdict }: Extract<Outcome, { kind: 'scored' }>): string {
  return JSON.stringify(verdict.tests.map(({ name, status }) => [name, status]));
}
