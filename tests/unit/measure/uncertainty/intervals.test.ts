import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../../../../src/base/wilson-interval.ts';
import { detectableGain } from '../../../../src/measure/uncertainty/detectable-gain.ts';
import { gainInterval, normalizedGainInterval } from '../../../../src/measure/uncertainty/gain-interval.ts';
import { rateInterval } from '../../../../src/measure/uncertainty/rate-interval.ts';
import { armSpread, taskSpread } from '../../../../src/measure/uncertainty/task-spread.ts';

const ONCE = { baseline: 1, treatment: 1 };

describe('rateInterval', () => {
  it('is for many tasks of one trial what Wilson gives for that many trials', () => {
    const passes = Array.from({ length: 2000 }, (_, task) => (task < 300 ? 1 : 0));
    const [low, high] = wilsonInterval(300, 2000);
    const found = rateInterval(armSpread(passes, 1), passes.length);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  it('has a length where every task came to the same: none of ten passed, up to 5.117/15.117', () => {
    // Student's quantile for nine degrees of freedom is 2.26216, its square 5.11736.
    const found = rateInterval(armSpread(Array<number>(10).fill(0), 3), 10);
    expect(found.low).toBe(0);
    expect(found.high).toBeCloseTo(5.11736 / 15.11736, 5);
  });

  it('trusts trials of tasks that are alike more than those of tasks that are all or nothing', () => {
    const alike = rateInterval(armSpread([0.5, 0.5, 0.6, 0.4, 0.5, 0.5, 0.4, 0.6], 5), 8);
    const divided = rateInterval(armSpread([1, 0, 1, 0, 1, 0, 1, 0], 5), 8);
    expect(alike.high - alike.low).toBeLessThan((divided.high - divided.low) / 1.5);
  });
});

describe('gainInterval', () => {
  it('is shorter the more the arms go together over tasks', () => {
    const hard = Array.from({ length: 20 }, (_, task) => task / 20);
    const together = hard.map((rate) => ({ baseline: rate, treatment: rate + 0.05 }));
    const apart = hard.map((rate, task) => ({ baseline: rate, treatment: (hard.at(-task) ?? 0) + 0.05 }));
    const length = (rates: typeof together) => {
      const { low, high } = gainInterval(taskSpread(rates, ONCE)!);
      return high - low;
    };
    expect(length(together)).toBeLessThan(length(apart) / 2);
  });

  it('turns round with its sign when the arms are swapped', () => {
    const rates = [0, 0.3, 0.7, 1, 0.2].map((baseline, task) => ({ baseline, treatment: (task * 0.37) % 1 }));
    const swapped = rates.map(({ baseline, treatment }) => ({ baseline: treatment, treatment: baseline }));
    const [there, back] = [rates, swapped].map((one) => gainInterval(taskSpread(one, ONCE)!));
    expect(back!.low).toBeCloseTo(-there!.high, 12);
    expect(back!.high).toBeCloseTo(-there!.low, 12);
  });

  it('never leaves -1 to 1, nor has no length', () => {
    const { low, high } = gainInterval(taskSpread(Array(5).fill({ baseline: 0, treatment: 1 }), ONCE)!);
    expect(high).toBe(1);
    expect(low).toBeLessThan(0.5);
  });

  it('does not exist under two tasks', () => {
    expect(taskSpread([{ baseline: 0, treatment: 1 }], ONCE)).toBeNull();
  });
});

describe('normalizedGainInterval', () => {
  it('holds the normalized gain, and follows 1 - ratio of what is left over', () => {
    const rates = Array.from({ length: 40 }, (_, task) => ({
      baseline: task % 4 === 0 ? 1 : 0,
      treatment: task % 2 === 0 ? 1 : 0,
    }));
    // 0.25 without, 0.5 with: normalized gain 1/3.
    const { low, high } = normalizedGainInterval(taskSpread(rates, ONCE)!)!;
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(1 / 3);
    expect(high).toBeGreaterThan(1 / 3);
    expect(high).toBeLessThan(0.6);
  });

  it('is very long below where the baseline failed next to nothing', () => {
    const rates = Array.from({ length: 6 }, (_, task) => ({
      baseline: task === 0 ? 0.5 : 1,
      treatment: 0.5,
    }));
    expect(normalizedGainInterval(taskSpread(rates, ONCE)!)!.low).toBeLessThan(-10);
  });

  it('does not exist at a baseline of 1', () => {
    const rates = Array(4).fill({ baseline: 1, treatment: 0.5 });
    expect(normalizedGainInterval(taskSpread(rates, ONCE)!)).toBeNull();
  });
});

describe('detectableGain', () => {
  it('is (2.262 + 0.883) standard errors for ten tasks', () => {
    expect(detectableGain(10, 0.16)).toBeCloseTo((2.26216 + 0.8834) * (0.4 / Math.sqrt(10)), 4);
  });

  it('halves about with four times as many tasks', () => {
    expect(detectableGain(400, 0.1)! / detectableGain(100, 0.1)!).toBeCloseTo(0.5, 1);
  });
});
