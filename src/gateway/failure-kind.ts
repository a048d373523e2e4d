/** What a failed answer means for the attempt: the key, the account's limit, the provider itself, or the request. */
export type FailureKind = 'auth' | 'limit' | 'provider' | 'request';

/** Statuses after which the same request may well succeed: too many, unavailable, overloaded. */
const RETRYABLE = new Set([429, 503, 529]);

/**
 * Marks of a used-up account in an error's text: waiting does not help. "Exceeded your current quota" is none: one provider says it of every
 * limit, those of a minute too.
 */
const USED_UP = /insufficient_quota|credit balance is too low|billing_hard_limit/i;
const BAD_KEY = /API_KEY_INVALID|API key not valid/;

/** What a status of 400 and above means, with the error's text; undefined for lower ones. */
export function failureKind(status: number, text: string): FailureKind | undefined {
  if (status < 400) return undefined;
  if (status === 401 || status === 403 || (status === 400 && BAD_KEY.test(text))) return 'auth';
  if (status === 402 || status === 429 || (status === 400 && USED_UP.test(text))) return 'limit';
  // A model or a path that the provider does not know is a fault of the set-up, never of the agent.
  return status >= 500 || status === 404 ? 'provider' : 'request';
}

/** Whether the gateway should ask again by itself. */
export function isRetryable(status: number, text: string): boolean {
  return RETRYABLE.has(status) && !USED_UP.test(text);
}
