import { describe, expect, it } from 'vitest';
import { attemptPrice } from '../../../src/price/attempt-price.ts';
import { modelUse } from '../../support/model-use.ts';

const startedAt = '2026-11-29T21:00:00.000Z';
const MILLION = 1_000_000;
const SONNET = 'claude-sonnet-4-20250514';
const HAIKU = 'claude-3-5-haiku-20241022';

function priceOf(of: Parameters<typeof modelUse>[0], providers = {}) {
  return attemptPrice({ startedAt, modelUse: modelUse(of) }, providers);
}

describe('the price of an attempt', () => {
  it('is that of each model’s own tokens', () => {
    const byModel = [
      { model: SONNET, usage: { input: MILLION, output: 100_000 }, uncounted: 0 },
      { model: HAIKU, usage: { input: 500_000, output: 10_000 }, uncounted: 0 },
    ];
    // Published, for a million: Sonnet 4 at 3 and 15 dollars, Haiku 3.5 at 0.8 and 4.
    expect(priceOf({ servedModels: [SONNET, HAIKU], byModel })).toBeCloseTo(3 + 1.5 + 0.4 + 0.04, 9);
  });

  it('is unknown as a whole where a part is: a model without a price, or an answer without counts', () => {
    const known = { model: SONNET, usage: { input: 10, output: 10 }, uncounted: 0 };
    expect(priceOf({ byModel: [known, { ...known, model: 'no-such-model' }] })).toBeUndefined();
    expect(priceOf({ byModel: [{ ...known, uncounted: 1 }] })).toBeUndefined();
    expect(priceOf({ byModel: [{ usage: known.usage, uncounted: 0 }] })).toBeUndefined();
  });

  it('takes an undivided sum where one model alone answered', () => {
    const usage = { input: MILLION, output: 0 };
    expect(priceOf({ usage })).toBeCloseTo(3, 9);
    expect(priceOf({ usage, servedModels: [] })).toBeCloseTo(3, 9);
    expect(priceOf({ usage, servedModels: [SONNET, HAIKU] })).toBeUndefined();
  });

  it('reads the protocol of an account that the experiment names', () => {
    const usage = { input: MILLION, output: 100_000 };
    const of = { provider: 'mine', servedModels: ['gpt-5'], usage };
    const providers = { mine: { protocol: 'openai-responses' as const, keyEnv: 'MY_KEY' } };
    // GPT-5 at 1.25 and 10 dollars a million.
    expect(priceOf(of, providers)).toBeCloseTo(1.25 + 1, 9);
    const wrong = { mine: { protocol: 'gemini' as const, keyEnv: 'MY_KEY' } };
    expect(priceOf(of, wrong)).toBeUndefined();
  });

  it('is 0 only where nothing was asked, or all of it was refused', () => {
    expect(priceOf({ requests: 0, usage: {} })).toBe(0);
    expect(priceOf({ requests: 2, failedRequests: 2, servedModels: [], byModel: [] })).toBe(0);
    expect(priceOf({ requests: 1, usage: {} })).toBeUndefined();
    expect(attemptPrice({ startedAt }, {})).toBeUndefined();
  });

  it('is none for a script, and that of the tokens for replayed answers', () => {
    const usage = { input: MILLION, output: 0 };
    expect(priceOf({ mode: 'scripted', usage })).toBeUndefined();
    expect(priceOf({ mode: 'replay', usage })).toBeCloseTo(3, 9);
  });
});
