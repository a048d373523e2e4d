import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/base/random.ts';
import { bootstrapInterval } from '../../../src/measure/bootstrap.ts';

describe('bootstrapInterval', () => {
  it('gives the same interval for the same seed', () => {
    const gains = [0.1, 0.4, -0.2, 0.6];
    expect(bootstrapInterval(gains, seededRandom(1))).toEqual(bootstrapInterval(gains, seededRandom(1)));
  });

  it('is near the normal interval for many tasks: mean +- 1.96 sd / sqrt(n)', () => {
    // 100 tasks, half 0 and half 1: mean 0.5, sd 0.5, hence 0.5 +- 0.098.
    const gains = Array.from({ length: 100 }, (_, index) => index % 2);
    const interval = bootstrapInterval(gains, seededRandom(2))!;
    expect(interval.low).toBeGreaterThan(0.38);
    expect(interval.low).toBeLessThan(0.42);
    expect(interval.high).toBeGreaterThan(0.58);
    expect(interval.high).toBeLessThan(0.62);
  });

  it('for two tasks spans both gains: each is drawn twice in a quarter of the resamples', () => {
    expect(bootstrapInterval([0, 1], seededRandom(3))).toEqual({ low: 0, high: 1 });
  });

  it('is undefined under two tasks', () => {
    expect(bootstrapInterval([0.5], seededRandom(4))).toBeNull();
  });
});
