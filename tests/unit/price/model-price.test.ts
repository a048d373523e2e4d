import { describe, expect, it } from 'vitest';
import { modelPrice } from '../../../src/price/model-price.ts';

const anthropic = { protocol: 'anthropic-messages', model: 'claude-sonnet-4-20250514' } as const;

describe('the price of a model’s tokens', () => {
  it('is the published 3 and 15 dollars for a million tokens of Claude Sonnet 4', () => {
    expect(modelPrice({ input: 1_000_000, output: 100_000 }, anthropic)).toBeCloseTo(3 + 1.5, 9);
  });

  it('takes cached input at a tenth and a written cache at five quarters, as published', () => {
    const usage = { input: 100_000, cachedInput: 40_000, cacheWrite: 20_000, output: 0 };
    // 40,000 plain at 3, 40,000 read at 0.3, 20,000 written at 3.75 dollars a million.
    expect(modelPrice(usage, anthropic)).toBeCloseTo(0.12 + 0.012 + 0.075, 9);
  });

  it('is unknown, not 0, for a model that the table lacks and for tokens that were not counted', () => {
    expect(modelPrice({ input: 10, output: 10 }, { ...anthropic, model: 'no-such-model' })).toBeUndefined();
    expect(modelPrice({ input: 10 }, anthropic)).toBeUndefined();
    expect(modelPrice({}, anthropic)).toBeUndefined();
  });

  it('is unknown for a provider that says it read more from a cache than at all', () => {
    expect(modelPrice({ input: 10, cachedInput: 20, output: 5 }, anthropic)).toBeUndefined();
    expect(modelPrice({ input: 10, cachedInput: 6, cacheWrite: 5, output: 5 }, anthropic)).toBeUndefined();
  });
});
