import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/random.ts';
import { bootstrapInterval } from '../../../../src/measure/uncertainty/bootstrap.ts';

describe('bootstrapInterval', () => {
  it('draws task by task, with replacement, what the seeded numbers say', () => {
    const gains = Array.from({ length: 37 }, (_, index) => Math.sin(index));
    const random = seededRandom(0xfedcba98);
    const means = Array.from({ length: 4_000 }, () => {
      let total = 0;
      for (let draw = 0; draw < gains.length; draw++) total += gains[Math.floor(random() * gains.length)]!;
      return total / gains.length;
    }).sort((a, b) => a - b);
    // Quantiles lie on a straight line between their neighbours: at 0.025 and 0.975 of the way from place 0 to place 3,999.
    const between = (low: number, share: number) => means[low]! + share * (means[low + 1]! - means[low]!);
    const interval = bootstrapInterval(gains, 0xfedcba98)!;
    expect(interval.low).toBeCloseTo(between(99, 0.975), 12);
    expect(interval.high).toBeCloseTo(between(3899, 0.025), 12);
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
