import { describe, expect, it } from 'vitest';
import { macroAverage } from '../../../src/measure/macro-average.ts';
import { measure } from '../../../src/measure/measure.ts';
import { runOf, verdict } from '../../support/synthetic-run.ts';

describe('macroAverage', () => {
  it('tells the mean of normalized gains from the normalized gain of the means', () => {
    // Normalized 0.5/1 and 0.2/0.2; the means are 0.4 and 0.75.
    const overall = macroAverage([
      { baseline: 0, treatment: 0.5 },
      { baseline: 0.8, treatment: 1 },
    ]);
    expect(overall.gain).toBeCloseTo(0.35, 12);
    expect(overall.meanNormalizedGain.value).toBeCloseTo((0.5 + 1) / 2, 12);
    expect(overall.normalizedGainOfMeans).toBeCloseTo(0.35 / 0.6, 12);
  });

  it('counts configurations whose normalized gain is undefined and does not set them to 0', () => {
    const overall = macroAverage([
      { baseline: 1, treatment: 1 },
      { baseline: 0, treatment: 0.5 },
    ]);
    expect(overall.meanNormalizedGain).toEqual({ value: 0.5, defined: 1, undefinedConfigurations: 1 });
  });

  it('is undefined over no configuration', () => {
    expect(macroAverage([])).toMatchObject({ configurations: 0, baseline: null, gain: null });
  });
});

describe('overall figures', () => {
  it('leave the oracle and the no-op out, by name', () => {
    const plan = { tasks: ['A', 'B'], configurations: ['literal', 'oracle', 'nop'] };
    const { overall } = measure(
      runOf(plan, ({ configuration, condition }) => ({
        outcome: verdict(
          configuration === 'oracle' || (configuration === 'literal' && condition === 'with-skills'),
        ),
      })),
    );
    expect(overall).toMatchObject({ configurations: 1, gain: 1, leftOut: ['oracle', 'nop'] });
  });
});
