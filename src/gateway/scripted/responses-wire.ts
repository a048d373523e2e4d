import { openaiError } from './openai-error.ts';
import { CREATED_AT, type Reply, type ReplyCall } from './reply.ts';
import { argumentPieces, type Frame, typedFrame, type Wire, type WireError } from './wire.ts';

/** OpenAI Responses. */
export const responsesWire: Wire = {
  plain: (reply) => completed(reply),
  frames,
  opening: 1,
  error: openaiError,
  errorFrame: failed,
};

type Data = Readonly<Record<string, unknown>> & { readonly type: string };

function response({ id, model }: Reply, status: string, output: readonly unknown[]) {
  return { id: `resp_${id}`, object: 'response', created_at: CREATED_AT, status, error: null, model, output };
}

function completed(reply: Reply) {
  const { input, cached, output } = reply.usage;
  const texts = reply.text === '' ? [] : [message(reply, reply.text)];
  return {
    ...response(reply, 'completed', [...texts, ...reply.calls.map((call) => callItem(call))]),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [] };
}

function message({ id }: Reply, text?: string) {
  const content = text === undefined ? [] : [textPart(text)];
  return { type: 'message', id: `msg_${id}`, status: status(text), role: 'assistant', content };
}

/** `text`: its arguments as far as they are there; undefined: only begun. */
function callItem(call: ReplyCall, text: string | undefined = call.argumentsText) {
  const { id, name, namespace, isText } = call;
  const within = namespace === undefined ? {} : { namespace };
  const called = { call_id: `call_${id}`, name, ...within, status: status(text) };
  return isText
    ? { type: 'custom_tool_call', id: `ctc_${id}`, ...called, input: text }
    : { type: 'function_call', id: `fc_${id}`, ...called, arguments: text };
}

function status(text: string | undefined): string {
  return text === undefined || text === '' ? 'in_progress' : 'completed';
}

/** Every event has its number. */
function* frames(reply: Reply): Generator<Frame> {
  let sequence_number = 0;
  for (const data of events(reply)) yield typedFrame({ ...data, sequence_number: sequence_number++ });
}

function* events(reply: Reply): Generator<Data> {
  const begun = response(reply, 'in_progress', []);
  yield { type: 'response.created', response: begun };
  yield { type: 'response.in_progress', response: begun };
  let output_index = 0;
  if (reply.text !== '') yield* messageEvents(reply, output_index++);
  for (const call of reply.calls) yield* callEvents(call, output_index++);
  yield { type: 'response.completed', response: completed(reply) };
}

function* messageEvents(reply: Reply, output_index: number): Generator<Data> {
  yield { type: 'response.output_item.added', output_index, item: message(reply) };
  const place = { item_id: `msg_${reply.id}`, output_index, content_index: 0 };
  yield { type: 'response.content_part.added', ...place, part: textPart('') };
  for (const delta of reply.pieces) yield { type: 'response.output_text.delta', ...place, delta };
  yield { type: 'response.output_text.done', ...place, text: reply.text };
  yield { type: 'response.content_part.done', ...place, part: textPart(reply.text) };
  yield { type: 'response.output_item.done', output_index, item: message(reply, reply.text) };
}

function* callEvents(call: ReplyCall, output_index: number): Generator<Data> {
  const item = callItem(call);
  yield { type: 'response.output_item.added', output_index, item: callItem(call, '') };
  const place = { item_id: item.id, output_index };
  const kind = call.isText ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  for (const delta of argumentPieces(call)) yield { type: `${kind}.delta`, ...place, delta };
  yield { type: `${kind}.done`, ...place, [call.isText ? 'input' : 'arguments']: call.argumentsText };
  yield { type: 'response.output_item.done', output_index, item };
}

function failed(error: WireError): Frame {
  const { message: said, code, type } = openaiError(error).error;
  const broken = {
    object: 'response',
    status: 'failed',
    output: [],
    error: { code: code ?? type, message: said },
  };
  return typedFrame({
    type: 'response.failed',
    response: { id: 'resp_failed', created_at: CREATED_AT, ...broken },
  });
}
