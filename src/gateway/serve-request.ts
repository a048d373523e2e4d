import type { ServerResponse } from 'node:http';
import type { ModelRequestRecord } from '../model/model-use.ts';
import type { Account } from './account/account.ts';
import { type Asked, askProvider } from './account/ask-provider.ts';
import { bufferedError } from './account/buffered-error.ts';
import { CassetteMiss } from './cassette/cassette-miss.ts';
import type { Clock } from './clock.ts';
import type { ModelRequest } from './exchange.ts';
import { type FailureKind, failureKind } from './failure-kind.ts';
import { protocolError } from './protocol-error.ts';
import { withoutProviderTools } from './provider-tools/without-provider-tools.ts';
import { type Relayed, relay } from './relay.ts';
import type { TrialSession } from './trial-session.ts';
import { untilAborted } from './until-aborted.ts';
import { type AnswerFacts, present } from './usage/answer-reader.ts';
import { observeAnswer } from './usage/observe-answer.ts';

/** One request of an attempt, on its way through. */
export interface Serving {
  readonly session: TrialSession;
  /** Of the provider; absent where no provider is asked (scripts and cassettes know no limit). */
  readonly account: Account | undefined;
  readonly clock: Clock;
  readonly outgoing: ServerResponse;
  readonly number: number;
  readonly startedAt: number;
}

interface Answer extends Omit<Asked, 'done'> {
  readonly done?: () => void;
  /** Set where it is the gateway that refuses. */
  readonly refusal?: FailureKind | 'budget';
}

/** Answers a model request and writes down what became of it. Never rejects. */
export async function serveRequest(incoming: ModelRequest, serving: Serving): Promise<void> {
  const { session, outgoing, clock } = serving;
  session.keepFirst(incoming);
  const received = { ...incoming, repeats: session.countRepeat(incoming) };
  const { request, removed } = session.admission.providerTools
    ? { request: received, removed: [] }
    : withoutProviderTools(received);
  const left = new AbortController();
  const leave = () => left.abort(new Error('the harness closed the connection'));
  outgoing.once('close', leave);
  const signal = AbortSignal.any([left.signal, session.ended]);
  using silence = session.listen(request, clock.now);
  let answer: Answer | undefined;
  try {
    answer = refused(request, serving) ?? (await askedInTime(request, serving, signal));
    silence.broken();
    const observer = observeAnswer(request.protocol, answer.response.headers);
    const relayed = await relay(answer.response, outgoing, {
      observer,
      now: clock.now,
      silence,
      signal,
    });
    const facts = await observer.end();
    const record = recordOf(request, { serving, answer, relayed, facts, removed });
    const told = outcomeOf(request, { answer, relayed, facts, signal });
    const silentMs = signal.aborted ? silence.ms : undefined;
    session.finished({ ...told, record: { ...record, ...present({ fault: told.fault, silentMs }) } });
  } catch (error) {
    // No answer at all: the harness sees what it would see of such a provider, a broken connection.
    outgoing.destroy();
    const failure = signal.aborted ? {} : { failure: 'provider' as const };
    const record = recordOf(request, { serving, answer, removed });
    const fault = wordsOf(signal.aborted ? signal.reason : error);
    const silentMs = signal.aborted ? silence.ms : undefined;
    session.finished({ ...failure, record: { ...record, fault, ...present({ silentMs }) } });
  } finally {
    outgoing.off('close', leave);
    answer?.done?.();
  }
}

/** Refusals of the gateway's own, for which nobody is asked. */
function refused(request: ModelRequest, { session, account, clock }: Serving): Answer | undefined {
  const base = { retries: 0, waitedMs: 0, askedAt: clock.now() };
  const keyless = account?.refusal;
  if (keyless !== undefined) {
    const response = protocolError(request.protocol, 'auth', `not asked: ${keyless}`);
    return { ...base, response, errorText: `not asked: ${keyless}`, refusal: 'auth' };
  }
  const budget = session.budgetRefusal(request);
  if (budget === undefined) return undefined;
  const response = protocolError(request.protocol, 'budget', budget);
  return { ...base, response, errorText: budget, refusal: 'budget' };
}

/** An answer that comes too late gives its turn back all the same. */
async function askedInTime(request: ModelRequest, serving: Serving, signal: AbortSignal): Promise<Answer> {
  const asking = asked(request, serving, signal);
  try {
    return await untilAborted(asking, signal);
  } catch (error) {
    asking.then(
      (late) => late.done?.(),
      () => undefined,
    );
    throw error;
  }
}

async function asked(request: ModelRequest, serving: Serving, signal: AbortSignal): Promise<Answer> {
  const { session, account, clock } = serving;
  const { respond, redactor, answerRedactor } = session;
  if (account !== undefined) {
    session.waitingSince ??= serving.startedAt;
    const answer = await askProvider(
      request,
      { account, respond, clock, redactor, answerRedactor, since: session.waitingSince },
      signal,
    );
    session.waitingSince = undefined;
    return answer;
  }
  const askedAt = clock.now();
  const base = { retries: 0, waitedMs: 0, askedAt };
  try {
    return { ...base, ...(await bufferedError(await respond(request, signal), redactor)) };
  } catch (error) {
    if (!(error instanceof CassetteMiss)) throw error;
    const response = protocolError(request.protocol, 'not-found', error.message);
    return { ...base, response, errorText: error.message, refusal: 'provider' };
  }
}

interface Parts {
  readonly serving: Serving;
  readonly removed: readonly string[];
  readonly answer?: Answer | undefined;
  readonly relayed?: Relayed;
  readonly facts?: AnswerFacts;
}

function recordOf(request: ModelRequest, parts: Parts): ModelRequestRecord {
  const { serving, answer, relayed, facts, removed } = parts;
  const { protocol, kind, model, stream } = request;
  const firstByteMs =
    answer === undefined || relayed?.firstByteAt === undefined
      ? undefined
      : relayed.firstByteAt - answer.askedAt;
  return {
    at: new Date(serving.startedAt).toISOString(),
    number: serving.number,
    protocol,
    kind,
    stream,
    retries: answer?.retries ?? 0,
    waitedMs: answer?.waitedMs ?? 0,
    durationMs: serving.clock.now() - serving.startedAt,
    requestBytes: request.bytes.length,
    responseBytes: relayed?.bytes ?? 0,
    ...present({ model, status: answer?.response.status, firstByteMs }),
    ...present({ usage: facts?.usage, rawUsage: facts?.rawUsage, servedModel: facts?.servedModel }),
    ...(removed.length > 0 && { removedTools: [...removed] }),
  };
}

/** Whose fault it is that an answer was none, and in which words. */
function outcomeOf(
  request: ModelRequest,
  parts: Required<Pick<Parts, 'relayed' | 'facts'>> & { answer: Answer; signal: AbortSignal },
): { readonly failure?: FailureKind; readonly fault?: string } {
  const { answer, relayed, facts, signal } = parts;
  const { status } = answer.response;
  if (answer.refusal === 'budget') return { fault: answer.errorText };
  const byStatus = answer.refusal ?? failureKind(status, answer.errorText);
  if (byStatus !== undefined)
    return { failure: byStatus, fault: facts.error ?? answer.errorText.slice(0, 500) };
  if (signal.aborted) return { fault: wordsOf(signal.reason) };
  if (relayed.error !== undefined) {
    return { failure: 'provider', fault: `the answer was cut: ${wordsOf(relayed.error)}` };
  }
  if (facts.error !== undefined) return { failure: kindOfError(facts.error), fault: facts.error };
  if (request.kind !== 'generate' || facts.complete) return {};
  return { failure: 'provider', fault: 'the answer ended before its end, or is none of its protocol' };
}

/** Errors inside of a stream have no status: their type says what they are. */
function kindOfError(error: string): FailureKind {
  if (/^(authentication_error|invalid_api_key|UNAUTHENTICATED)/.test(error)) return 'auth';
  return /^(rate_limit|insufficient_quota|RESOURCE_EXHAUSTED)/.test(error) ? 'limit' : 'provider';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
