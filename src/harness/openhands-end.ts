import type { TokenUsage } from '../model/model-use.ts';
import type { OpenHandsEvent, OpenHandsStats, OpenHandsTokens } from './openhands-events.ts';
import { isContextOverflow, providerFault } from './provider-fault.ts';
import type { StreamEnd } from './read-ending.ts';

type ErrorEvent = Extract<OpenHandsEvent, { kind: 'ConversationErrorEvent' }>;

const INNER_LIMITS: readonly string[] = ['MaxIterationsReached', 'MaxBudgetReached'];
const OVERFLOWS: readonly string[] = ['LLMContextWindowExceedError', 'LLMMalformedConversationHistoryError'];

/** What OpenHands' own classes of failure mean for a trial. */
const REASONS = {
  auth: 'provider-auth',
  quota: 'provider-limit',
  rate_limit: 'provider-limit',
  transient: 'provider-error',
} as const;

/** What an error of the whole conversation says of the end: its code first, its own class next, its words last. */
export function openHandsEnd({ code, detail, classification }: ErrorEvent): StreamEnd {
  const words = `${code}: ${detail}`.slice(0, 300);
  if (INNER_LIMITS.includes(code)) return { kind: 'inner-limit', detail: words };
  if (OVERFLOWS.includes(code) || isContextOverflow(detail)) return { kind: 'gave-up', detail: words };
  const kind = classification?.kind ?? classOf(code);
  const reason = Object.hasOwn(REASONS, kind) ? REASONS[kind as keyof typeof REASONS] : undefined;
  const fault = reason === undefined ? providerFault(`${code}: ${detail}`) : { reason, detail: words };
  return { kind: 'fault', fault: fault ?? { reason: 'harness-protocol', detail: words } };
}

/** The classes of the codes that older versions write without one. */
function classOf(code: string): string {
  if (code === 'LLMAuthenticationError') return 'auth';
  if (code === 'LLMRateLimitError') return 'rate_limit';
  return /^LLM(ServiceUnavailable|Timeout|NoResponse)Error$/.test(code) ? 'transient' : 'unknown';
}

/** What our bundle's own last line says of the end, where no event before it said more. */
export function openHandsRunEnd(status: string, error: string | null | undefined): StreamEnd {
  if (status === 'finished') return { kind: 'completed' };
  if (status === 'stuck') {
    return { kind: 'gave-up', detail: 'the agent went on doing the same and was stopped' };
  }
  const detail = error?.slice(0, 300) ?? `the conversation ended as ${status}`;
  if (isContextOverflow(detail)) return { kind: 'gave-up', detail };
  return { kind: 'fault', fault: providerFault(detail) ?? { reason: 'harness-protocol', detail } };
}

/** Sums over all uses of models (agent, condenser). */
export function openHandsUsage({ usage_to_metrics: uses }: OpenHandsStats): TokenUsage | undefined {
  const all = Object.values(uses).flatMap(({ accumulated_token_usage: tokens }): OpenHandsTokens[] =>
    tokens ? [tokens] : [],
  );
  const sum = (of: (usage: OpenHandsTokens) => number | undefined) =>
    all.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  return openHandsTokens({
    prompt_tokens: sum((usage) => usage.prompt_tokens),
    completion_tokens: sum((usage) => usage.completion_tokens),
    cache_read_tokens: sum((usage) => usage.cache_read_tokens),
    cache_write_tokens: sum((usage) => usage.cache_write_tokens),
    reasoning_tokens: sum((usage) => usage.reasoning_tokens),
  });
}

/**
 * Cached tokens are a part of the prompt, reasoning one of the completion. Where no request was answered OpenHands writes
 * zeros: those are no counts.
 */
export function openHandsTokens(tokens: OpenHandsTokens): TokenUsage | undefined {
  const { prompt_tokens: input = 0, completion_tokens: output = 0 } = tokens;
  if (input + output === 0) return undefined;
  return {
    input,
    cachedInput: tokens.cache_read_tokens ?? 0,
    cacheWrite: tokens.cache_write_tokens ?? 0,
    output,
    reasoning: tokens.reasoning_tokens ?? 0,
  };
}
