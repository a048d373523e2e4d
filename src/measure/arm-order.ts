import type { ConditionName } from '../model/ids.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { Contrast } from './pairing.ts';

/** Shares beyond this (or below its mirror) mean that one arm all but ran before the other. */
const CONFOUNDED = 0.9;

/**
 * Tells whether order is confounded with arm: nearly every trial of one arm started before nearly every trial of
 * the other, so that a slow drift of provider or machine would look like a gain. Names the arm that ran first.
 * Needs two started trials per arm; the arms of a pair standing together give a share near one half.
 */
export function armThatRanFirst(
  records: readonly TrialRecord[],
  contrast: Contrast,
): ConditionName | undefined {
  const starts = (condition: ConditionName) =>
    records.flatMap(({ trial, counted }) =>
      counted !== undefined && trial.condition === condition ? [Date.parse(counted.startedAt)] : [],
    );
  const baseline = starts(contrast.baseline);
  const treatment = starts(contrast.treatment);
  if (baseline.length < 2 || treatment.length < 2) return undefined;
  const share = shareEarlier(baseline, treatment);
  if (share >= CONFOUNDED) return contrast.baseline;
  return share <= 1 - CONFOUNDED ? contrast.treatment : undefined;
}

/** Share of (first, second) couples in which the first is earlier; a tie counts half. By one merge of sorted times. */
function shareEarlier(first: readonly number[], second: readonly number[]): number {
  const earlier = first.toSorted((a, b) => a - b);
  let below = 0;
  let notAbove = 0;
  let couples = 0;
  for (const at of second.toSorted((a, b) => a - b)) {
    while (below < earlier.length && (earlier[below] as number) < at) below++;
    while (notAbove < earlier.length && (earlier[notAbove] as number) <= at) notAbove++;
    couples += (below + notAbove) / 2;
  }
  return couples / (first.length * second.length);
}
