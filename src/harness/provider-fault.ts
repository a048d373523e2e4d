import type { UnscoredReason } from '../model/outcome.ts';
import type { HarnessFault } from './harness.ts';

type ProviderReason = Extract<UnscoredReason, 'provider-auth' | 'provider-limit' | 'provider-error'>;

/** What programs write about a provider, most telling first. A status in the text outranks the words beside it. */
const WORDS: readonly (readonly [ProviderReason, RegExp])[] = [
  [
    'provider-auth',
    /unauthori[sz]ed|(invalid|incorrect).{0,12}(api.?)?key|api.?key.{0,20}(missing|not valid|invalid)|authenticat|not logged in|missing environment variable|permission.?denied/i,
  ],
  [
    'provider-limit',
    /rate.?limit|quota|too many requests|resource.?exhausted|credit balance|usage limit|insufficient.{0,3}funds/i,
  ],
  [
    'provider-error',
    /overloaded|server.?(had an )?error|internal error|high demand|stream disconnected|connection|econn|fetch failed|socket|timed? ?out|timeout|malformed response|unavailable|bad gateway|waiting for network|unexpected status|api error|empty (response|stream)|service tier|selected model/i,
  ],
];

/** HTTP status in the wordings of the programs and in the JSON that they quote. */
const STATUS =
  /(?:api error:?|status(?: code)?["']?:?|error code:?|"code":|unexpected status|last status:|rejected|http)\s*\(?(?:http )?([45]\d\d)\b/i;

/** What an HTTP status of a provider means for a trial. */
export function reasonOfStatus(status: number): ProviderReason {
  if (status === 401 || status === 403) return 'provider-auth';
  if (status === 429 || status === 402) return 'provider-limit';
  return 'provider-error';
}

/** The fault that a program's message tells of its provider; undefined when it tells of none. */
export function providerFault(message: string, status?: number | null): HarnessFault | undefined {
  const text = message.slice(0, 4000);
  const detail = text.replace(/\s+/g, ' ').trim().slice(0, 300) || `HTTP status ${status}`;
  const said = status ?? Number(STATUS.exec(text)?.[1] ?? Number.NaN);
  if (said >= 400) return { reason: reasonOfStatus(said), detail };
  const reason = WORDS.find(([, words]) => words.test(text))?.[0];
  return reason === undefined ? undefined : { reason, detail };
}

/** Messages that begin as programs begin a provider's refusal, and as no answer to a task does. */
const REFUSAL =
  /^\s*(\[?api error\b|failed to authenticate|exceeded retry limit|unexpected status \d{3}|error code: \d{3}|(http )?(401|403|429|5\d\d)\b\s*[:{-]?\s*(\{|unauthorized|forbidden|too many requests|rate.?limit|internal server error|service unavailable|overloaded)|\{\s*"(error|type)"\s*:\s*("error"|\{)|rate.?limit (reached|exceeded))/i;

/**
 * The fault in a final answer that is no answer but a provider's refusal, as some programs pass it on. Only a text that
 * begins with one counts: an agent may well write about status codes.
 */
export function refusalAsAnswer(finalText: string): HarnessFault | undefined {
  return REFUSAL.test(finalText) ? providerFault(finalText) : undefined;
}

/** Messages that say that the conversation outgrew the model: the agent's own failure, which is scored. */
export function isContextOverflow(message: string): boolean {
  return /prompt is too long|context.?(window|length|limit)|maximum context|input token count.{0,40}exceeds/i.test(
    message.slice(0, 4000),
  );
}
