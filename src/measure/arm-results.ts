import type { TrialAverage } from '../model/imported-results.ts';
import type { Counts } from '../model/measurement.ts';
import type { Outcome } from '../model/outcome.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { counts } from './counts.ts';
import { taskRate, type UnscoredAs } from './pass-rate.ts';

/** A mean of rewards is written with so many digits at least that a sum of rewards this near 0 is 0. */
const WRITTEN = 0.002;

/** What the trials of one task came to in one arm: each of them, or their mean alone where no more was imported. */
export interface ArmResults {
  /** By index; empty where only their mean is known, or where the arm was not planned. */
  readonly records: readonly TrialRecord[];
  readonly average?: TrialAverage;
}

/** The outcomes of trial records, in their order. */
export function outcomesOf(records: readonly TrialRecord[]): Outcome[] {
  return records.map((record) => record.outcome);
}

/** Planned, scored and unscored. Of a mean all trials count as scored: it is made of them, whatever was put in for a missing verdict. */
export function armCounts({ records, average }: ArmResults): Counts {
  if (average === undefined) return counts(outcomesOf(records));
  return { planned: average.trials, scored: average.trials, unscored: 0, byReason: {} };
}

/** The task's rate in this arm; `null` without a trial that counts. */
export function armRate({ records, average }: ArmResults, unscoredAs: UnscoredAs): number | null {
  return average?.meanReward ?? taskRate(outcomesOf(records), unscoredAs);
}

/** Whether a trial was planned. */
export function isPlanned({ records, average }: ArmResults): boolean {
  return records.length > 0 || average !== undefined;
}

/** Whether a trial has a verdict. */
export function isScored({ records, average }: ArmResults): boolean {
  return average !== undefined || records.some(({ outcome }) => outcome.kind === 'scored');
}

/** Trials whose reward is exactly 1; `null` where only a mean is known that does not tell. */
export function armPasses(arm: ArmResults): number | null {
  if (arm.average !== undefined)
    return arm.average.passes ?? knownRewards(arm)?.filter((reward) => reward === 1).length ?? null;
  return (knownRewards(arm) ?? []).filter((reward) => reward === 1).length;
}

/**
 * The rewards of the scored trials, in no order. Of a mean they are known only where arithmetic leaves one way: all 0 or all 1, or the
 * number of passes is given and at most one other trial has a reward above 0. `undefined`: not known.
 */
export function knownRewards({ records, average }: ArmResults): readonly number[] | undefined {
  if (average === undefined)
    return records.flatMap(({ outcome }) => (outcome.kind === 'scored' ? [outcome.verdict.reward] : []));
  const { trials, meanReward, passes } = average;
  if (meanReward === 0 || meanReward === 1 || trials === 1) return Array<number>(trials).fill(meanReward);
  if (passes === undefined) return undefined;
  const others = trials - passes;
  const rest = trials * meanReward - passes;
  if (rest > WRITTEN && others > 1) return undefined;
  const last = others === 1 && rest > WRITTEN ? [rest] : Array<number>(others).fill(0);
  return [...Array<number>(passes).fill(1), ...last];
}
