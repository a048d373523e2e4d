import { setTimeout } from 'node:timers/promises';
import type { ModelFault, ModelScript, ScriptRule } from '../../model/model-script.ts';
import type { ModelRequest, ModelResponse, Respond } from '../exchange.ts';
import { activeFault } from './active-fault.ts';
import { silence, silentBody, streamBody, wholeBody } from './answer-body.ts';
import { anthropicWire } from './anthropic-wire.ts';
import { chatWire } from './chat-wire.ts';
import { composeReply } from './compose-reply.ts';
import { type Conversation, readConversation } from './conversation.ts';
import { geminiWire } from './gemini-wire.ts';
import { members } from './loose-json.ts';
import { Misfit } from './misfit.ts';
import { stepFor } from './play.ts';
import { responsesWire } from './responses-wire.ts';
import { ruleFor } from './rule-for.ts';
import { modelList, tokenCount } from './side-answers.ts';
import type { Wire, WireError } from './wire.ts';

/**
 * A script in the place of a provider: it answers each request from that request alone, so that one of these serves any
 * number of trials at once, and a request that is sent again gets the same bytes, but for a fault of its first attempts
 * alone. What a script cannot do with a request is answered with status 400 and a message that says why.
 */
export function scriptedModel(script: ModelScript): Respond {
  return async (request, signal) => {
    const wire = wireOf(request);
    try {
      return await answer(script, { request, signal, wire });
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return failure(wire, { status: 400, message: error.message });
    }
  };
}

interface Exchange {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly wire: Wire;
}

function wireOf({ protocol, body }: ModelRequest): Wire {
  switch (protocol) {
    case 'anthropic-messages':
      return anthropicWire;
    case 'openai-responses':
      return responsesWire;
    case 'openai-chat':
      return chatWire(members(members(body).stream_options).include_usage === true);
    case 'gemini':
      return geminiWire;
  }
}

async function answer(script: ModelScript, exchange: Exchange): Promise<ModelResponse> {
  const { request, wire } = exchange;
  switch (request.kind) {
    case 'generate':
      return generate(script, exchange);
    case 'count-tokens':
      return json(200, tokenCount(request));
    case 'list-models':
      return json(200, modelList(request, script.models));
    case 'other':
      if (request.method === 'HEAD') return { status: 200, headers: {}, body: wholeBody('') };
      return failure(wire, {
        status: 404,
        message: `a scripted model knows no ${request.method} ${request.path}`,
      });
  }
}

async function generate(script: ModelScript, exchange: Exchange): Promise<ModelResponse> {
  const { request, signal } = exchange;
  if (request.body === undefined) throw new Misfit('the body of the request is not JSON');
  const talk = readConversation(request);
  const rule = ruleFor(script.rules, request, talk) ?? unruled(request, talk);
  const fault = activeFault(rule.fault, request, talk.results.length);
  if (rule.pace.firstByteMs > 0) await setTimeout(rule.pace.firstByteMs, undefined, { signal });
  return (await broken(fault, exchange)) ?? served({ talk, rule, fault }, exchange);
}

/** Side requests of a harness, which offer no tools, need no rule: they get a word. */
function unruled({ protocol, model }: ModelRequest, talk: Conversation): ScriptRule {
  if (talk.tools.length === 0)
    return { when: {}, turns: [{ text: 'Done.' }], pace: { firstByteMs: 0, chunkMs: 0 } };
  const listed = talk.listed.map(({ name }) => name).join(', ') || 'none';
  const said = JSON.stringify(talk.instruction.slice(0, 80));
  throw new Misfit(
    `no rule of the script fits this request (protocol ${protocol}, model ${model}, Skills listed: ${listed}, instruction ${said}); add one without "when" at the end`,
  );
}

/** The words of the first are a provider's own: a client library tells by them a refused key from a bad request. */
const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  401: 'scripted: Incorrect API key provided',
  403: 'scripted: the key may not use this model',
  404: 'scripted: there is no such model',
  429: 'scripted: too many requests',
  529: 'scripted: overloaded',
};

/** The answer of a fault that leaves nothing of the script's own answer. */
async function broken(
  fault: ModelFault | undefined,
  { request, wire, signal }: Exchange,
): Promise<ModelResponse | undefined> {
  const headers = { 'content-type': request.stream ? EVENT_STREAM : 'application/json' };
  switch (fault?.kind) {
    case 'status': {
      const status = fault.status ?? 500;
      const error = { status, message: STATUS_MESSAGES[status] ?? `scripted: status ${status}` };
      return failure(
        wire,
        error,
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
      );
    }
    case 'no-answer':
      return silence(signal);
    case 'reset':
      throw new Error('the script breaks the connection here');
    case 'no-body':
      return { status: 200, headers, body: silentBody(signal) };
    case 'empty':
      return { status: 200, headers, body: wholeBody('') };
    case 'html': {
      const page =
        '<!doctype html><html><head><title>Gateway</title></head><body>Please sign in.</body></html>\n';
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: wholeBody(page) };
    }
    default:
      return undefined;
  }
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

interface Serving {
  readonly talk: Conversation;
  readonly rule: ScriptRule;
  readonly fault: ModelFault | undefined;
}

function served({ talk, rule, fault }: Serving, { request, wire, signal }: Exchange): ModelResponse {
  const step = stepFor(rule.turns, talk);
  const reply = composeReply({ request, talk, step, fault, pace: rule.pace });
  if (!request.stream) {
    const whole = wire.plain(reply);
    // Gemini's streams without events are lists of answers.
    return json(200, request.path.includes(':streamGenerateContent') ? [whole] : whole);
  }
  const body = streamBody(wire.frames(reply), wire, { chunkMs: rule.pace.chunkMs, fault, signal });
  return { status: 200, headers: { 'content-type': EVENT_STREAM, 'cache-control': 'no-cache' }, body };
}

function failure(
  wire: Wire,
  error: WireError,
  headers: Readonly<Record<string, string>> = {},
): ModelResponse {
  return json(error.status, wire.error(error), headers);
}

function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): ModelResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: wholeBody(JSON.stringify(value)),
  };
}
