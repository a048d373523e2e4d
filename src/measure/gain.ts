/** With-skills rate minus no-skills rate; `null` when either is undefined. Negative gains stay negative. */
export function gain(noSkills: number | null, withSkills: number | null): number | null {
  return noSkills === null || withSkills === null ? null : withSkills - noSkills;
}

/**
 * Normalized gain: the share of the room above the no-skills rate that Skills filled.
 * `null` when the no-skills rate is 1, since there is no room; never clamped, never 0 for undefined.
 */
export function normalizedGain(noSkills: number | null, withSkills: number | null): number | null {
  if (noSkills === null || withSkills === null || noSkills === 1) return null;
  return (withSkills - noSkills) / (1 - noSkills);
}
