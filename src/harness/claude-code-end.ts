import type { TokenUsage } from '../model/model-use.ts';
import type { ClaudeResult } from './claude-code-events.ts';
import { isContextOverflow, providerFault } from './provider-fault.ts';
import type { StreamEnd } from './read-ending.ts';

/** Limits of Claude Code's own, by the `subtype` of its result. */
const INNER_LIMITS: readonly (string | undefined)[] = ['error_max_turns', 'error_max_budget_usd'];

/** What a result event says of the end: `is_error` decides, whatever `subtype` and the exit code say. */
export function claudeEnd(result: ClaudeResult): StreamEnd {
  const said = [result.result, result.error?.message, ...(result.errors ?? []).map(wordsOf)];
  const words = said.filter((text) => text !== undefined);
  const detail = words.join('; ').slice(0, 300) || (result.subtype ?? 'no reason given');
  if (INNER_LIMITS.includes(result.subtype)) return { kind: 'inner-limit', detail };
  if (!result.is_error) return { kind: 'completed', finalText: result.result };
  if (isContextOverflow(detail)) return { kind: 'gave-up', detail };
  const fault = providerFault(detail, result.api_error_status);
  if (fault !== undefined) return { kind: 'fault', fault };
  // A result with an error flag that calls itself a success is how it passes on a provider's failure.
  const ofProvider = result.terminal_reason === 'api_error' || result.subtype === 'success';
  return { kind: 'fault', fault: { reason: ofProvider ? 'provider-error' : 'harness-protocol', detail } };
}

/**
 * Tokens of a result, summed by Claude Code itself over all models; `usage` of the single messages in the stream holds
 * the numbers of each answer's beginning and is of no use. Its `input_tokens` leave cached ones out.
 */
export function claudeUsage({ usage, modelUsage }: ClaudeResult): TokenUsage | undefined {
  const models = Object.values(modelUsage ?? {});
  if (models.length > 0) {
    const sum = (of: (model: (typeof models)[number]) => number | undefined) =>
      models.reduce((total, model) => total + (of(model) ?? 0), 0);
    return tokens({
      fresh: sum((model) => model.inputTokens),
      cached: sum((model) => model.cacheReadInputTokens),
      written: sum((model) => model.cacheCreationInputTokens),
      output: sum((model) => model.outputTokens),
    });
  }
  if (usage?.input_tokens === undefined || usage.output_tokens === undefined) return undefined;
  return tokens({
    fresh: usage.input_tokens,
    cached: usage.cache_read_input_tokens ?? 0,
    written: usage.cache_creation_input_tokens ?? 0,
    output: usage.output_tokens,
  });
}

interface Sums {
  readonly fresh: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

/** Where no request was answered it writes zeros: those are no counts. */
function tokens({ fresh, cached, written, output }: Sums): TokenUsage | undefined {
  if (fresh + cached + written + output === 0) return undefined;
  return { input: fresh + cached + written, cachedInput: cached, cacheWrite: written, output };
}

function wordsOf(error: unknown): string {
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? '');
}
