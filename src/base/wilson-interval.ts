/** Quantile of the standard normal distribution at 0.975. */
const Z = 1.959963984540054;

/**
 * Score interval of a rate at 95 %, for `hits` of `tries` (at least 1): honest also at 0, at 1 and for few tries, where the usual
 * interval has no width. Both bounds are in [0, 1]. Source: E. B. Wilson, JASA 22 (1927), 209-212.
 */
export function wilsonInterval(hits: number, tries: number): readonly [low: number, high: number] {
  const rate = hits / tries;
  const share = (Z * Z) / tries;
  const middle = (rate + share / 2) / (1 + share);
  const half = (Z / (1 + share)) * Math.sqrt((rate * (1 - rate)) / tries + share / (4 * tries));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
