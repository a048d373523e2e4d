import { sum } from 'simple-statistics';
import type { Outcome } from '../model/outcome.ts';

/** What an unscored trial counts as: left out, a reward of 0 or a reward of 1. */
export type UnscoredAs = 'absent' | 'failed' | 'passed';

/** Mean of numbers, by a compensated sum; `null` of none. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum([...values]) / values.length;
}

/**
 * Mean reward of one task's trials in one arm; `null` without any that counts.
 * Rewards are sorted before they are summed, so the order of records changes no digit.
 */
export function taskRate(outcomes: readonly Outcome[], unscoredAs: UnscoredAs): number | null {
  const rewards = outcomes.flatMap((outcome) => {
    if (outcome.kind === 'scored') return [outcome.verdict.reward];
    if (unscoredAs === 'absent') return [];
    return [unscoredAs === 'passed' ? 1 : 0];
  });
  return mean(rewards.sort((a, b) => a - b));
}

/** Task-macro pass rate: the mean over tasks of each task's rate, every task alike. `null` of no tasks. */
export function passRate(taskRates: readonly number[]): number | null {
  return mean([...taskRates].sort((a, b) => a - b));
}
