import { openaiError } from './openai-error.ts';
import { CREATED_AT, type Reply, type ReplyCall } from './reply.ts';
import { argumentPieces, bareFrame, type Frame, type Wire } from './wire.ts';

/** OpenAI Chat Completions; a stream ends with the usage only where the request asked for that. */
export function chatWire(withUsage: boolean): Wire {
  return {
    plain: (reply) => ({
      ...head(reply, 'chat.completion'),
      choices: [{ index: 0, message: message(reply), logprobs: null, finish_reason: finishReason(reply) }],
      usage: usage(reply),
    }),
    frames: (reply) => frames(reply, withUsage),
    opening: 0,
    error: openaiError,
    errorFrame: (error) => bareFrame(openaiError(error)),
  };
}

function head({ id, model }: Reply, object: string) {
  return { id: `chatcmpl-${id}`, object, created: CREATED_AT, model };
}

function message({ text, calls }: Reply) {
  const called =
    calls.length === 0 ? {} : { tool_calls: calls.map((call) => toolCall(call, call.argumentsText)) };
  return { role: 'assistant', content: text === '' ? null : text, ...called };
}

function toolCall({ id, name }: ReplyCall, argumentsText: string) {
  return { id: `call_${id}`, type: 'function', function: { name, arguments: argumentsText } };
}

function finishReason({ calls }: Reply): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function usage({ usage: { input, cached, output } }: Reply) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

function* frames(reply: Reply, withUsage: boolean): Generator<Frame> {
  const chunk = (delta: unknown, reason: string | null = null) =>
    bareFrame({
      ...head(reply, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      ...(withUsage ? { usage: null } : {}),
    });
  yield chunk({ role: 'assistant', content: '' });
  for (const content of reply.pieces) yield chunk({ content });
  for (const [index, call] of reply.calls.entries()) {
    yield chunk({ tool_calls: [{ index, ...toolCall(call, '') }] });
    for (const piece of argumentPieces(call))
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk({}, finishReason(reply));
  if (withUsage)
    yield bareFrame({ ...head(reply, 'chat.completion.chunk'), choices: [], usage: usage(reply) });
  yield { data: '[DONE]' };
}
