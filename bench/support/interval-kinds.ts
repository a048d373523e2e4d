import { cumulativeStdNormalProbability, probit, quantileSorted } from 'simple-statistics';
import type { Random } from '../../src/base/random.ts';
import { gainInterval } from '../../src/measure/uncertainty/gain-interval.ts';
import { studentQuantile } from '../../src/measure/uncertainty/student-t.ts';
import type { TaskRates } from '../../src/measure/uncertainty/task-spread.ts';
import type { Interval } from '../../src/model/uncertainty.ts';
import { spreadOf } from '../../tests/support/simulated-tasks.ts';

const RESAMPLES = 499;

/** An interval of the mean gain from what an experiment of so many trials per task and arm showed. */
export type IntervalKind = (rates: readonly TaskRates[], trials: number, random: Random) => Interval;

/** Kinds that were looked at; all but the last know of the gains alone. */
export const INTERVAL_KINDS: Readonly<Record<string, IntervalKind>> = {
  percentile: (rates, _trials, random) => ends(resampled(gainsOf(rates), random).means, 0.025, 0.975),
  BCa: (rates, _trials, random) => biasCorrected(gainsOf(rates), random),
  studentized: (rates, _trials, random) => {
    const gains = gainsOf(rates);
    const { studentized } = resampled(gains, random);
    const { mean, error } = moments(gains);
    if (studentized.length === 0) return { low: mean, high: mean };
    const { low, high } = ends(studentized, 0.025, 0.975);
    return { low: mean - high * error, high: mean - low * error };
  },
  "Student's": (rates) => {
    const { mean, error } = moments(gainsOf(rates));
    const half = studentQuantile(0.975, rates.length - 1) * error;
    return { low: mean - half, high: mean + half };
  },
  'square-and-add': (rates, trials) => gainInterval(spreadOf(rates, trials)),
};

function gainsOf(rates: readonly TaskRates[]): number[] {
  return rates.map(({ baseline, treatment }) => treatment - baseline);
}

function moments(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** Sorted means of resamples of whole tasks, and how many standard errors of its own each is away. */
function resampled(gains: readonly number[], random: Random) {
  const { mean } = moments(gains);
  const all = Array.from({ length: RESAMPLES }, () =>
    moments(gains.map(() => gains[Math.floor(random() * gains.length)] ?? 0)),
  );
  const studentized = all.filter(({ error }) => error > 1e-12).map((one) => (one.mean - mean) / one.error);
  return { means: all.map((one) => one.mean).sort(ascending), studentized: studentized.sort(ascending) };
}

function ascending(a: number, b: number): number {
  return a - b;
}

function ends(sorted: number[], low: number, high: number): Interval {
  return { low: quantileSorted(sorted, low), high: quantileSorted(sorted, high) };
}

/** Bias-corrected and accelerated (Efron 1987), the acceleration by the jackknife. */
function biasCorrected(gains: readonly number[], random: Random): Interval {
  const { means } = resampled(gains, random);
  const { mean } = moments(gains);
  const isLower = (one: number) => one < mean - 1e-12;
  const ties = means.filter((one) => Math.abs(one - mean) <= 1e-12).length;
  const below = means.filter(isLower).length + ties / 2;
  const bias = probit(Math.min(1 - 1e-4, Math.max(1e-4, below / RESAMPLES)));
  const left = gains.map((gain) => mean - gain);
  const cubes = left.reduce((sum, one) => sum + one ** 3, 0);
  const squares = left.reduce((sum, one) => sum + one ** 2, 0);
  const acceleration = squares < 1e-12 ? 0 : -cubes / (6 * squares ** 1.5);
  const level = (quantile: number) =>
    cumulativeStdNormalProbability(bias + (bias + quantile) / (1 - acceleration * (bias + quantile)));
  return ends(means, level(-1.959964), level(1.959964));
}
