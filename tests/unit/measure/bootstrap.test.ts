import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/base/random.ts';
import { bootstrapInterval } from '../../../src/measure/bootstrap.ts';

describe('bootstrapInterval', () => {
  it('draws task by task, with replacement, what the seeded numbers say', () => {
    const gains = Array.from({ length: 37 }, (_, index) => Math.sin(index));
    const random = seededRandom(0xfedcba98);
    const means = Array.from({ length: 10_000 }, () => {
      let total = 0;
      for (let draw = 0; draw < gains.length; draw++) total += gains[Math.floor(random() * gains.length)]!;
      return total / gains.length;
    }).sort((a, b) => a - b);
    // A quantile between two values is their mean where it falls on a whole number: 250 and 9,750 of 10,000.
    expect(bootstrapInterval(gains, 0xfedcba98)).toEqual({
      low: (means[249]! + means[250]!) / 2,
      high: (means[9749]! + means[9750]!) / 2,
    });
  });

  it('gives the same interval for the same seed', () => {
    const gains = [0.1, 0.4, -0.2, 0.6];
    expect(bootstrapInterval(gains, 1)).toEqual(bootstrapInterval(gains, 1));
  });

  it('is near the normal interval for many tasks: mean +- 1.96 sd / sqrt(n)', () => {
    // 100 tasks, half 0 and half 1: mean 0.5, sd 0.5, hence 0.5 +- 0.098.
    const gains = Array.from({ length: 100 }, (_, index) => index % 2);
    const interval = bootstrapInterval(gains, 2)!;
    expect(interval.low).toBeGreaterThan(0.38);
    expect(interval.low).toBeLessThan(0.42);
    expect(interval.high).toBeGreaterThan(0.58);
    expect(interval.high).toBeLessThan(0.62);
  });

  it('for two tasks spans both gains: each is drawn twice in a quarter of the resamples', () => {
    expect(bootstrapInterval([0, 1], 3)).toEqual({ low: 0, high: 1 });
  });

  it('is undefined under two tasks', () => {
    expect(bootstrapInterval([0.5], 4)).toBeNull();
  });
});
