import type { Counts } from '../model/measurement.ts';
import type { Outcome, UnscoredReason } from '../model/outcome.ts';

/** Counts planned outcomes: planned = scored + unscored by construction, each unscored one under its reason. */
export function counts(outcomes: readonly Outcome[]): Counts {
  const byReason: Partial<Record<UnscoredReason, number>> = {};
  let scored = 0;
  for (const outcome of outcomes) {
    if (outcome.kind === 'scored') scored++;
    else byReason[outcome.reason] = (byReason[outcome.reason] ?? 0) + 1;
  }
  return { planned: outcomes.length, scored, unscored: outcomes.length - scored, byReason };
}

/** Share of planned trials that were scored; `null` when nothing was planned. */
export function coverage(counted: Counts): number | null {
  return counted.planned === 0 ? null : counted.scored / counted.planned;
}

/** All of them together. */
export function addedCounts(parts: readonly Counts[]): Counts {
  const byReason: Partial<Record<UnscoredReason, number>> = {};
  let [planned, scored] = [0, 0];
  for (const part of parts) {
    planned += part.planned;
    scored += part.scored;
    for (const [reason, count] of Object.entries(part.byReason) as [UnscoredReason, number][])
      byReason[reason] = (byReason[reason] ?? 0) + count;
  }
  return { planned, scored, unscored: planned - scored, byReason };
}
