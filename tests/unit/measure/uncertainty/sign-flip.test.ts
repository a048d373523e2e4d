import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/random.ts';
import { signFlipTest } from '../../../../src/measure/uncertainty/sign-flip.ts';

describe('signFlipTest', () => {
  it('counts every pattern of few tasks: eight equal gains come about in 2 of 256 ways', () => {
    const found = signFlipTest(Array<number>(8).fill(0.5), 1);
    expect(found).toEqual({ pValue: 2 / 256, method: 'exact', patterns: 256 });
  });

  it('counts by hand: of 1, 2, 3 the sums 6, 4, 2, 0, 0, -2, -4, -6; at least 4 away are four of eight', () => {
    expect(signFlipTest([3, 2, -1], 1).pValue).toBe(4 / 8);
  });

  it('leaves tasks without a change out, which have no sign', () => {
    expect(signFlipTest([0, 0, 3, 2, -1, 0], 1)).toEqual({ pValue: 4 / 8, method: 'exact', patterns: 8 });
  });

  it('is 1 where nothing changed', () => {
    expect(signFlipTest([0, 0, 0], 1)).toEqual({ pValue: 1, method: 'exact', patterns: 1 });
  });

  it('does not depend on which arm is called the baseline', () => {
    const gains = [0.3, -0.1, 0.6, 0.2, -0.4];
    expect(signFlipTest(gains, 1).pValue).toBe(
      signFlipTest(
        gains.map((gain) => -gain),
        1,
      ).pValue,
    );
  });

  it('draws patterns for many tasks, near what counting gives, and the same for the same seed', () => {
    // 20 gains of 1 of which 14 are positive: a sum of 8 or more away from 0; binomial tail 2 * P(X >= 14 of 20) = 0.1153.
    const gains = Array.from({ length: 20 }, (_, at) => (at < 14 ? 1 : -1));
    const found = signFlipTest(gains, 5);
    expect(found).toMatchObject({ method: 'drawn', patterns: 10_000 });
    expect(Math.abs(found.pValue - 0.1153)).toBeLessThan(0.01);
    expect(signFlipTest(gains, 5)).toEqual(found);
  });

  it('never gives 0 when patterns are drawn', () => {
    expect(signFlipTest(Array<number>(100).fill(1), 1).pValue).toBeCloseTo(1 / 10_001, 12);
  });

  it('finds a difference at 5 % in about 5 of 100 runs in which both arms are alike', () => {
    const random = seededRandom(3);
    const runs = 3000;
    let found = 0;
    for (let run = 0; run < runs; run++) {
      const gains = Array.from({ length: 12 }, () => random() - random());
      if (signFlipTest(gains, run).pValue <= 0.05) found++;
    }
    expect(found / runs).toBeGreaterThan(0.035);
    expect(found / runs).toBeLessThan(0.06);
  });
});
