import type { Interval } from '../../model/uncertainty.ts';
import { rateInterval } from './rate-interval.ts';
import type { TaskSpread } from './task-spread.ts';

/** Tasks by which the correlation of the arms counts less: it is estimated too, and from few tasks it comes out too high. */
const SHRINK = 0.3;

/** Both arms' rates with their intervals, and what joins them. */
interface Limits {
  readonly baseline: Interval & { readonly mean: number };
  readonly treatment: Interval & { readonly mean: number };
  readonly correlation: number;
}

/**
 * 95 % interval of the gain, from the intervals of both rates (square-and-add: Newcombe, Statistics in Medicine 17 (1998), 2635-2650, his
 * method for pairs; Zou and Donner, ibid. 27 (2008), 1693-1702). The correlation of the arms over tasks takes off what makes a task hard
 * in both. Nothing is assumed of the shape, and the interval keeps its length where all tasks came to the same.
 */
export function gainInterval(spread: TaskSpread): Interval {
  const { baseline, treatment, correlation } = limitsOf(spread);
  const gain = treatment.mean - baseline.mean;
  const below = joined(treatment.mean - treatment.low, baseline.high - baseline.mean, correlation);
  const above = joined(treatment.high - treatment.mean, baseline.mean - baseline.low, correlation);
  return { low: Math.max(-1, gain - below), high: Math.min(1, gain + above) };
}

/**
 * 95 % interval of the normalized gain, 1 - (1 - treatment) / (1 - baseline), by the same way for a ratio (Donner and Zou, Statistical
 * Methods in Medical Research 21 (2012), 347-359); `null` where the baseline failed nothing. Very long where it failed next to nothing.
 */
export function normalizedGainInterval(spread: TaskSpread): Interval | null {
  const { baseline, treatment, correlation } = limitsOf(spread);
  if (baseline.mean >= 1) return null;
  const [left, room] = [failing(treatment), failing(baseline)];
  const most = ratioEnd(
    { at: left.mean, end: left.high },
    { at: room.mean, end: room.low },
    { correlation, sign: 1 },
  );
  const least = ratioEnd(
    { at: left.mean, end: left.low },
    { at: room.mean, end: room.high },
    { correlation, sign: -1 },
  );
  return most === null ? null : { low: 1 - most, high: 1 - Math.max(0, least ?? 0) };
}

function limitsOf({ tasks, baseline, treatment, correlation }: TaskSpread): Limits {
  return {
    baseline: { ...rateInterval(baseline, tasks), mean: clamped(baseline.mean) },
    treatment: { ...rateInterval(treatment, tasks), mean: clamped(treatment.mean) },
    correlation: correlation * (1 - SHRINK / tasks),
  };
}

function clamped(rate: number): number {
  return Math.max(0, Math.min(1, rate));
}

/** Length of the sum of two deviations that go together. */
function joined(one: number, other: number, correlation: number): number {
  return Math.sqrt(Math.max(0, one * one + other * other - 2 * correlation * one * other));
}

function failing({ mean, low, high }: Limits['baseline']): Limits['baseline'] {
  return { mean: 1 - mean, low: 1 - high, high: 1 - low };
}

interface Side {
  readonly at: number;
  readonly end: number;
}

/** Root of the equation that makes the square-and-add interval of `numerator - ratio * denominator` end at 0; `null`: there is none. */
function ratioEnd(
  numerator: Side,
  denominator: Side,
  { correlation, sign }: { readonly correlation: number; readonly sign: 1 | -1 },
): number | null {
  const square = denominator.end * (2 * denominator.at - denominator.end);
  if (square <= 1e-9) return null;
  const moved = (numerator.at - numerator.end) * (denominator.end - denominator.at);
  const middle = numerator.at * denominator.at - correlation * moved;
  const rest = numerator.end * (2 * numerator.at - numerator.end) * square;
  return (middle + sign * Math.sqrt(Math.max(0, middle * middle - rest))) / square;
}
