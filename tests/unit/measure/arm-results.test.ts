import { describe, expect, it } from 'vitest';
import { armCounts, armPasses, armRate, knownRewards } from '../../../src/measure/arm-results.ts';
import type { TrialAverage } from '../../../src/model/imported-results.ts';

const average = (values: Pick<TrialAverage, 'trials' | 'meanReward' | 'passes'>) => ({
  records: [],
  average: { task: 'a', condition: 'no-skills', configuration: 'x', ...values } as TrialAverage,
});

describe('an arm of which only a mean is known', () => {
  it('has the rate that was given, whatever the unscored count as', () => {
    const arm = average({ trials: 3, meanReward: 0.667 });
    expect(armRate(arm, 'absent')).toBe(0.667);
    expect(armRate(arm, 'failed')).toBe(0.667);
    expect(armCounts(arm)).toEqual({ planned: 3, scored: 3, unscored: 0, byReason: {} });
  });

  it.each([
    ['all failed', { trials: 3, meanReward: 0 }, [0, 0, 0]],
    ['all passed', { trials: 2, meanReward: 1 }, [1, 1]],
    ['a pass of three', { trials: 3, meanReward: 0.333333, passes: 1 }, [1, 0, 0]],
    ['two passes, rounded to three decimals', { trials: 3, meanReward: 0.667, passes: 2 }, [1, 1, 0]],
    ['one trial', { trials: 1, meanReward: 0.4 }, [0.4]],
  ])('tells the rewards where arithmetic leaves one way: %s', (_what, values, rewards) => {
    expect(knownRewards(average(values))).toEqual(rewards);
  });

  it('tells the last reward where all others passed', () => {
    const [, , last] = knownRewards(average({ trials: 3, meanReward: 0.757, passes: 2 })) ?? [];
    expect(last).toBeCloseTo(0.271, 12);
  });

  it.each([
    ['a rest that two trials may share', { trials: 3, meanReward: 0.55, passes: 0 }],
    ['no word of passes', { trials: 3, meanReward: 0.333333 }],
  ])('does not make rewards up: %s', (_what, values) => {
    expect(knownRewards(average(values))).toBeUndefined();
  });

  it('counts passes only where they are told or plain', () => {
    expect(armPasses(average({ trials: 3, meanReward: 0.55, passes: 0 }))).toBe(0);
    expect(armPasses(average({ trials: 3, meanReward: 1 }))).toBe(3);
    expect(armPasses(average({ trials: 3, meanReward: 0.333333 }))).toBeNull();
  });
});
