import type { Clock } from '../clock.ts';
import type { ModelRequest, ModelResponse, Respond } from '../exchange.ts';
import { failureKind, isRetryable } from '../failure-kind.ts';
import { redactedAnswer } from '../redact/redacted-answer.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { Account } from './account.ts';
import { bufferedError } from './buffered-error.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * How long one request is asked again after refusals, in ms since it was asked first, before the refusal is passed on to the harness: its
 * turn alone may be longer in coming. Nothing has been sent to the harness by then, so that it sees one slow answer; a harness that stops
 * waiting and asks anew keeps its place.
 */
export const RETRY_PATIENCE_MS = 10 * 60_000;

/** An answer, and what it took to get it. */
export interface Asked {
  readonly response: ModelResponse;
  readonly retries: number;
  readonly waitedMs: number;
  /** When the provider was asked the last time, in ms since 1970. */
  readonly askedAt: number;
  /** The beginning of the error's text, where the status is 400 or above. */
  readonly errorText: string;
  /** To be called when the answer has been read to its end or given up. */
  readonly done: () => void;
}

/** Where answers come from, and whose limits hold. */
export interface Provider {
  readonly account: Account;
  readonly respond: Respond;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** For answers that are no errors. */
  readonly answerRedactor: Redactor;
  /** When the request's wish began. */
  readonly since: number;
}

/** Asks when the account allows it, and again after refusals for its limit. Rejects when the signal fires, or with the provider's failure. */
export async function askProvider(
  request: ModelRequest,
  provider: Provider,
  signal: AbortSignal,
): Promise<Asked> {
  const { account, respond, clock, redactor, answerRedactor, since } = provider;
  let retries = 0;
  let waitedMs = 0;
  let patience: number | undefined;
  for (;;) {
    const waitFrom = clock.now();
    const turn = await account.turn(since, signal);
    const askedAt = clock.now();
    waitedMs += askedAt - waitFrom;
    patience ??= askedAt + RETRY_PATIENCE_MS;
    if (turn === undefined) throw signal.reason;
    const done = () => turn[Symbol.dispose]();
    try {
      const { response: answer, errorText } = await bufferedError(await respond(request, signal), redactor);
      const { status } = answer;
      const response = status < 400 ? redactedAnswer(answer, answerRedactor) : answer;
      const asked = { response, retries, waitedMs, askedAt, errorText, done };
      if (!isRetryable(status, errorText)) {
        noteRefusedKey(account, request, asked);
        return asked;
      }
      const askedMs = retryAfterMs(response.headers, errorText, clock.now());
      turn.refused(askedMs);
      if (clock.now() + (askedMs ?? 0) >= patience) return asked;
      retries++;
      done();
    } catch (error) {
      done();
      throw error;
    }
  }
}

/** A key may lack the right to list or count and still be good for what trials need. */
function noteRefusedKey(account: Account, request: ModelRequest, { response, errorText }: Asked): void {
  if (failureKind(response.status, errorText) !== 'auth') return;
  if (response.status === 403 && request.kind !== 'generate') return;
  account.refuseAll(`the provider answered ${response.status} to the key when asked for ${request.path}`);
}
