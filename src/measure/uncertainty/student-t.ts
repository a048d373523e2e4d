import { gammaln } from 'simple-statistics';

const ENOUGH = 1e-12;
const MOST_STEPS = 300;
const known = new Map<string, number>();

/**
 * Quantile of Student's distribution: the value that a draw with so many degrees of freedom stays under with this probability, which lies
 * between one half and one. By bisection over the distribution function, to about ten digits.
 */
export function studentQuantile(probability: number, freedom: number): number {
  const key = `${probability}/${freedom}`;
  const found = known.get(key) ?? bisected(probability, freedom);
  known.set(key, found);
  return found;
}

function bisected(probability: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (studentBelow(high, freedom) < probability) high *= 2;
  while (high - low > 1e-11 * high) {
    const middle = (low + high) / 2;
    if (studentBelow(middle, freedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Probability that a draw stays under a value of at least 0. */
export function studentBelow(value: number, freedom: number): number {
  return 1 - incompleteBeta(freedom / (freedom + value * value), freedom / 2, 0.5) / 2;
}

/** Regularized incomplete beta function, by its continued fraction (DLMF 8.17.22) on the side where that runs fast. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logFactor =
    gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x) - Math.log(a);
  return Math.exp(logFactor) / continuedFraction(x, a, b);
}

/** 1 + d1/(1 + d2/(1 + ...)), by Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  let [value, c, d] = [1, 1, 0];
  for (let step = 1; step <= MOST_STEPS; step++) {
    const m = Math.floor(step / 2);
    const term =
      step % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + term * d);
    c = 1 + term / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < ENOUGH) break;
  }
  return value;
}
