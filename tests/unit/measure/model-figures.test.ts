import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { modelUse } from '../../support/model-use.ts';
import { runOf, type SyntheticResult, unscored, verdict } from '../../support/synthetic-run.ts';

const MILLION = 1_000_000;

function figuresOf(decide: (task: string, condition: string) => SyntheticResult) {
  const run = runOf({ tasks: ['A', 'B'] }, ({ task, condition }) => decide(task, condition));
  return measure(run).configurations[0]?.models;
}

describe('what the arms asked of models', () => {
  it('is summed over all attempts, with those that gave verdicts told apart', () => {
    const [baseline, treatment] =
      figuresOf((task, condition) => ({
        outcome: verdict(true),
        ...(task === 'A' && condition === 'with-skills' ? { attempts: ['runtime-lost' as const] } : {}),
        earlierModelUse: modelUse({
          requests: 4,
          failedRequests: 3,
          usage: { input: MILLION, output: 100_000 },
        }),
        modelUse: modelUse({
          requests: 2,
          usage: { input: 2 * MILLION, cachedInput: MILLION, output: 200_000 },
        }),
      })) ?? [];
    // A scored attempt: a million plain at 3, a million cached at 0.3, 0.2 million written at 15 dollars: 6.3.
    expect(baseline?.all).toEqual({
      attempts: 2,
      requests: 4,
      failedRequests: 0,
      usage: { input: 4 * MILLION, cachedInput: 2 * MILLION, output: 400_000 },
      usd: { known: expect.closeTo(12.6, 9), unknownAttempts: 0 },
    });
    expect(baseline?.scored).toEqual(baseline?.all);
    // The attempt that was lost: a million at 3 and 0.1 million at 15 dollars: 4.5.
    expect(treatment?.all).toEqual({
      attempts: 3,
      requests: 8,
      failedRequests: 3,
      usage: { input: 5 * MILLION, cachedInput: 2 * MILLION, output: 500_000 },
      usd: { known: expect.closeTo(17.1, 9), unknownAttempts: 0 },
    });
    expect(treatment?.scored).toEqual(baseline?.all);
  });

  it('has no verdict’s share in a trial that has none', () => {
    const [baseline] =
      figuresOf(() => ({
        outcome: unscored('harness-protocol'),
        modelUse: modelUse({ usage: { input: MILLION, output: 0 } }),
      })) ?? [];
    expect(baseline?.scored).toMatchObject({ attempts: 0, requests: 0, usage: {} });
    expect(baseline?.all).toMatchObject({ attempts: 2, requests: 2, usd: { unknownAttempts: 0 } });
    expect(baseline?.all.usd.known).toBeCloseTo(6, 9);
  });

  it('says unknown for money that is not known, and of how many attempts it is a part', () => {
    const unknown = { servedModels: ['no-such-model'], usage: { input: MILLION, output: 0 } };
    const [baseline, treatment] =
      figuresOf((task, condition) => ({
        outcome: verdict(true),
        modelUse: modelUse(
          condition === 'no-skills' || task === 'B' ? unknown : { usage: { input: MILLION, output: 0 } },
        ),
      })) ?? [];
    expect(baseline?.all.usd).toEqual({ known: null, unknownAttempts: 2 });
    expect(treatment?.all.usd).toEqual({ known: expect.closeTo(3, 9), unknownAttempts: 1 });
    expect(treatment?.servedModels).toEqual(['claude-sonnet-4-20250514', 'no-such-model']);
  });

  it('is what a gate holds all attempts of a configuration to, as far as it is known', () => {
    const gateOf = (maxUsd: number, use: Parameters<typeof modelUse>[0]) =>
      measure(
        runOf({ tasks: ['A'], gates: { maxUsd } }, () => ({
          outcome: verdict(true),
          modelUse: modelUse(use),
        })),
      ).gates[0];
    // Both arms: two times a million at 3 dollars.
    const known = { usage: { input: MILLION, output: 0 } };
    expect(gateOf(6, known)).toMatchObject({ state: 'held', value: expect.closeTo(6, 9) });
    expect(gateOf(5.9, known)).toMatchObject({ state: 'failed', gate: 'usd' });
    expect(gateOf(100, { ...known, servedModels: ['no-such-model'] })).toMatchObject({
      state: 'unevaluable',
    });
  });

  it('is absent where nothing asked a model', () => {
    expect(figuresOf(() => ({ outcome: verdict(true) }))).toBeUndefined();
  });
});

describe('a run with a script in the place of a model', () => {
  it('has no price and is not fit to publish', () => {
    const run = runOf({ tasks: ['A'] }, () => ({
      outcome: verdict(true),
      modelUse: modelUse({ mode: 'scripted', usage: { input: MILLION, output: 0 } }),
    }));
    const { configurations, publishable } = measure(run);
    expect(configurations[0]?.models?.map(({ modes, all }) => [modes, all.usd])).toEqual([
      [['scripted'], { known: null, unknownAttempts: 1 }],
      [['scripted'], { known: null, unknownAttempts: 1 }],
    ]);
    expect(publishable).toEqual({
      ok: false,
      reasons: ['literal: a script answered in the place of a model'],
    });
  });
});
