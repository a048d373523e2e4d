import type { Interval } from '../../model/uncertainty.ts';
import { studentQuantile } from './student-t.ts';
import type { ArmSpread } from './task-spread.ts';

/** Of 95 %, to both sides. */
const UPPER = 0.975;
/** Variances below this are rounding. */
const ROUNDING = 1e-12;
/** A sample can look a little more spread than all-or-nothing tasks are, never much. */
const LEAST_SHARE = 0.8;

/**
 * 95 % interval of a task-macro rate: Wilson's, over as many independent trials as the tasks are worth. Tasks of which each is passed
 * always or never are worth one trial each; tasks that are all alike as many as were made; what the variance over tasks says lies between.
 * The quantile is Student's, since that variance is estimated. Within [0, 1], and not empty where every task came to the same.
 */
export function rateInterval({ mean, variance, trialsPerTask }: ArmSpread, tasks: number): Interval {
  const rate = Math.max(0, Math.min(1, mean));
  const quantile = studentQuantile(UPPER, tasks - 1);
  const worth = variance < ROUNDING ? tasks : (rate * (1 - rate) * tasks) / variance;
  const trials = Math.min(tasks * trialsPerTask, Math.max(tasks * LEAST_SHARE, worth));
  const share = (quantile * quantile) / trials;
  const middle = (rate + share / 2) / (1 + share);
  const half = (quantile / (1 + share)) * Math.sqrt((rate * (1 - rate)) / trials + share / (4 * trials));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
