import type { Reply, ReplyCall } from './reply.ts';
import { argumentPieces, type Frame, typedFrame, type Wire, type WireError } from './wire.ts';

/** Anthropic Messages. */
export const anthropicWire: Wire = {
  plain: (reply) => ({
    ...head(reply),
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.calls.map(toolUse),
    ],
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: { ...inputUsage(reply), output_tokens: reply.usage.output },
  }),
  frames,
  opening: 1,
  error: errorBody,
  errorFrame: (error) => typedFrame(errorBody(error)),
};

function head({ id, model }: Reply) {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model };
}

function inputUsage({ usage }: Reply) {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  };
}

function stopReason({ calls }: Reply): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function toolUse({ id, name, input }: ReplyCall) {
  return { type: 'tool_use', id: `toolu_${id}`, name, input };
}

function* frames(reply: Reply): Generator<Frame> {
  const start = { ...head(reply), content: [], stop_reason: null, stop_sequence: null };
  const usage = { ...inputUsage(reply), output_tokens: 1 };
  yield typedFrame({ type: 'message_start', message: { ...start, usage } });
  let index = 0;
  if (reply.text !== '') {
    const deltas = reply.pieces.map((text) => ({ type: 'text_delta', text }));
    yield* block(index++, { type: 'text', text: '' }, deltas);
  }
  for (const call of reply.calls) {
    const deltas = argumentPieces(call).map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
    yield* block(index++, { ...toolUse(call), input: {} }, deltas);
  }
  const delta = { stop_reason: stopReason(reply), stop_sequence: null };
  yield typedFrame({ type: 'message_delta', delta, usage: { output_tokens: reply.usage.output } });
  yield typedFrame({ type: 'message_stop' });
}

function* block(index: number, start: unknown, deltas: readonly unknown[]): Generator<Frame> {
  yield typedFrame({ type: 'content_block_start', index, content_block: start });
  for (const delta of deltas) yield typedFrame({ type: 'content_block_delta', index, delta });
  yield typedFrame({ type: 'content_block_stop', index });
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorBody({ status, message }: WireError) {
  return { type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } };
}
