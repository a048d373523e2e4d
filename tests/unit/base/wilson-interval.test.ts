import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../../../src/base/wilson-interval.ts';

describe('wilsonInterval', () => {
  // By hand for 8 of 10: z2 = 3.841459, middle = (0.8 + 0.192073) / 1.384146, half = 1.959964 / 1.384146 * sqrt(0.016 + 0.0096036).
  it.each([
    [8, 10, 0.4902, 0.9433],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [1, 2, 0.0945, 0.9055],
  ])('of %i hits in %i tries goes from %f to %f', (hits, tries, low, high) => {
    const [from, to] = wilsonInterval(hits, tries);
    expect(from).toBeCloseTo(low, 3);
    expect(to).toBeCloseTo(high, 3);
  });
});
