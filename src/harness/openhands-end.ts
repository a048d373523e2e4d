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

/** Sums over all uses of models (agent, condenser). Cached tokens are a part of the prompt, reasoning one of the completion. */
export function openHandsUsage({ usage_to_metrics: uses }: OpenHandsStats): TokenUsage | undefined {
  const all = Object.values(uses).flatMap(({ accumulated_token_usage: tokens }): OpenHandsTokens[] =>
    tokens ? [tokens] : [],
  );
  if (all.length === 0) return undefined;
  const sum = (of: (usage: OpenHandsTokens) => number | undefined) =>
    all.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  return {
    input: sum((usage) => usage.prompt_tokens),
    cachedInput: sum((usage) => usage.cache_read_tokens),
    cacheWrite: sum((usage) => usage.cache_write_tokens),
    output: sum((usage) => usage.completion_tokens),
    reasoning: sum((usage) => usage.reasoning_tokens),
  };
}
