import type { TokenUsage } from '../model/model-use.ts';
import type { OpenCodeFailure, OpenCodeTokens } from './opencode-events.ts';
import { isContextOverflow, providerFault } from './provider-fault.ts';
import type { StreamEnd } from './read-ending.ts';

/** What an error event says of the end. One of the interface to the model, or without any words, is the provider's. */
export function openCodeEnd({ name, data }: OpenCodeFailure): StreamEnd {
  const words = data?.message ?? '';
  const detail = [name, words].filter(Boolean).join(': ').slice(0, 300);
  if (name === 'ContextOverflowError' || isContextOverflow(words)) return { kind: 'gave-up', detail };
  const fault = words === '' ? undefined : providerFault(words, data?.statusCode);
  if (fault !== undefined) return { kind: 'fault', fault: { ...fault, detail } };
  if (name === 'ProviderAuthError') return { kind: 'fault', fault: { reason: 'provider-auth', detail } };
  const isOfProvider = name === 'APIError' || words === '';
  return {
    kind: 'fault',
    fault: {
      reason: isOfProvider ? 'provider-error' : 'harness-protocol',
      detail: detail || 'it stopped with an error and without a word of it',
    },
  };
}

/** Why an answer ended, where it was no answer: nothing was read, or the stream broke. */
export function isNoAnswer(reason: string): boolean {
  return /^(unknown|other|error)$/.test(reason);
}

/** The sum of what was counted until now and one more answer. */
export function addedTokens(
  sum: TokenUsage | undefined,
  tokens: OpenCodeTokens | undefined,
): TokenUsage | undefined {
  const { input = 0, output = 0, reasoning = 0, cache } = tokens ?? {};
  const [read, written] = [cache?.read ?? 0, cache?.write ?? 0];
  if (input + output + reasoning + read + written === 0) return sum;
  return {
    input: (sum?.input ?? 0) + input + read + written,
    cachedInput: (sum?.cachedInput ?? 0) + read,
    cacheWrite: (sum?.cacheWrite ?? 0) + written,
    output: (sum?.output ?? 0) + output + reasoning,
    reasoning: (sum?.reasoning ?? 0) + reasoning,
  };
}
