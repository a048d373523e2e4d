/** Treatment's rate minus baseline's; `null` when either is undefined. Negative gains stay negative. */
export function gain(baseline: number | null, treatment: number | null): number | null {
  return baseline === null || treatment === null ? null : treatment - baseline;
}

/**
 * Normalized gain: the share of the room above the baseline's rate that the treatment filled.
 * `null` when the baseline's rate is 1, since there is no room; never clamped, never 0 for undefined.
 */
export function normalizedGain(baseline: number | null, treatment: number | null): number | null {
  if (baseline === null || treatment === null || baseline === 1) return null;
  return (treatment - baseline) / (1 - baseline);
}
