import { describe, expect, it } from 'vitest';
import { UseLedger } from '../../../src/gateway/use-ledger.ts';
import type { ModelRequestRecord } from '../../../src/model/model-use.ts';

function record(of: Partial<ModelRequestRecord>): ModelRequestRecord {
  return {
    at: '2026-11-29T21:00:00.000Z',
    number: 1,
    protocol: 'anthropic-messages',
    kind: 'generate',
    stream: true,
    status: 200,
    retries: 0,
    waitedMs: 0,
    durationMs: 10,
    requestBytes: 10,
    responseBytes: 10,
    ...of,
  };
}

function byModel(...records: Partial<ModelRequestRecord>[]) {
  const ledger = new UseLedger('live', 'anthropic-messages');
  for (const one of records) ledger.add(record(one));
  return ledger.sum().byModel;
}

describe('the sums of an attempt', () => {
  it('keep models apart, by the name that the answer has', () => {
    expect(
      byModel(
        { model: 'large', servedModel: 'large-1', usage: { input: 100, cachedInput: 40, output: 7 } },
        { model: 'small', usage: { input: 5, output: 1 } },
        { model: 'large', servedModel: 'large-1', usage: { input: 200, output: 3, reasoning: 2 } },
      ),
    ).toEqual([
      { model: 'large-1', usage: { input: 300, cachedInput: 40, output: 10, reasoning: 2 }, uncounted: 0 },
      { model: 'small', usage: { input: 5, output: 1 }, uncounted: 0 },
    ]);
  });

  it('tell how many answers may have cost more than they came to say', () => {
    expect(
      byModel(
        { model: 'm', usage: { input: 100, output: 1 }, fault: 'the answer was cut' },
        { model: 'm', status: undefined, fault: 'the trial has ended' },
        { model: 'm', usage: { input: 10 } },
      ),
    ).toEqual([{ model: 'm', usage: { input: 110, output: 1 }, uncounted: 3 }]);
  });

  it('take refused requests and those that only count tokens as free', () => {
    expect(
      byModel({ model: 'm', status: 429, fault: 'slow down' }, { kind: 'count-tokens', model: 'm' }),
    ).toEqual([]);
  });
});
