import type { ModelUse } from '../../src/model/model-use.ts';

/** What an attempt asked of the model of a public account; Claude Sonnet 4 unless another is named. */
export function modelUse(of: Partial<ModelUse>): ModelUse {
  const model = 'claude-sonnet-4-20250514';
  return {
    mode: 'live',
    provider: 'anthropic-messages',
    requests: 1,
    failedRequests: 0,
    retries: 0,
    waitedMs: 0,
    askedModels: [model],
    servedModels: [model],
    usage: {},
    removedTools: [],
    ...of,
  };
}
