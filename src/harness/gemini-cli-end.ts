import type { TokenUsage } from '../model/model-use.ts';
import type { GeminiResult } from './gemini-cli-events.ts';
import { isContextOverflow, providerFault } from './provider-fault.ts';
import type { StreamEnd } from './read-ending.ts';

/** Gemini CLI's own exit codes. */
const [NO_AUTH, TURN_LIMIT] = [41, 53];

/**
 * What a result event says of the end. Where its error names no status, the exit code does: for a provider's refusal it is
 * the HTTP status modulo 256 (0.61.0). An error without any words is an empty or broken answer of the provider.
 */
export function geminiEnd({ status, error }: GeminiResult, exitCode: number | null): StreamEnd {
  if (status === 'success') return { kind: 'completed' };
  const detail = [error?.type, error?.message].filter(Boolean).join(': ').slice(0, 300);
  if (/TurnLimited/.test(detail)) return { kind: 'inner-limit', detail };
  if (isContextOverflow(detail)) return { kind: 'gave-up', detail };
  const asStatus = statusBehind(exitCode);
  const fault =
    providerFault(detail) ?? (asStatus === undefined ? undefined : providerFault(detail, asStatus));
  if (fault !== undefined) return { kind: 'fault', fault };
  if (detail === '') {
    return {
      kind: 'fault',
      fault: { reason: 'provider-error', detail: 'the provider gave no answer that can be read' },
    };
  }
  return { kind: 'fault', fault: { reason: 'harness-protocol', detail } };
}

/** What ended it before it could write a result. */
export function geminiEndWithout(exitCode: number | null, stderrTail: string): StreamEnd | undefined {
  const detail = stderrTail.trim().slice(-300) || `exit code ${exitCode}`;
  if (exitCode === TURN_LIMIT) return { kind: 'inner-limit', detail };
  if (exitCode === NO_AUTH) return { kind: 'fault', fault: { reason: 'provider-auth', detail } };
  const status = statusBehind(exitCode);
  const fault = status === undefined ? undefined : providerFault(detail, status);
  return fault === undefined ? undefined : { kind: 'fault', fault };
}

/**
 * Tokens of a result. Thought tokens are in the total only, so that what was written is the total less what was read.
 * Where no request was answered it writes zeros: those are no counts.
 */
export function geminiUsage({ stats }: GeminiResult): TokenUsage | undefined {
  if (stats?.input_tokens === undefined || stats.output_tokens === undefined) return undefined;
  if (stats.input_tokens + stats.output_tokens === 0) return undefined;
  const output = Math.max(stats.output_tokens, (stats.total_tokens ?? 0) - stats.input_tokens);
  return {
    input: stats.input_tokens,
    ...(stats.cached === undefined ? {} : { cachedInput: stats.cached }),
    output,
    reasoning: output - stats.output_tokens,
  };
}

const STATUSES: readonly number[] = [401, 403, 429, 500, 502, 503, 504, 529];

function statusBehind(exitCode: number | null): number | undefined {
  return STATUSES.find((status) => status % 256 === exitCode);
}
