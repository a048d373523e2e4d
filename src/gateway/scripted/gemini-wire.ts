import type { Reply, ReplyCall } from './reply.ts';
import { bareFrame, type Frame, type Wire, type WireError } from './wire.ts';

/** Gemini `generateContent` and `streamGenerateContent`. */
export const geminiWire: Wire = {
  plain: (reply) => ({
    ...chunk(
      reply,
      [...(reply.text === '' ? [] : [{ text: reply.text }]), ...reply.calls.map(functionCall)],
      'STOP',
    ),
    usageMetadata: usage(reply),
  }),
  frames,
  opening: 0,
  error: errorBody,
  errorFrame: (error) => bareFrame(errorBody(error)),
};

/** Harnesses keep signatures and send them back; any Base64 text will do. */
const SIGNATURE = Buffer.from('scripted').toString('base64');

function functionCall({ id, name, input }: ReplyCall) {
  return { functionCall: { id: `call_${id}`, name, args: input }, thoughtSignature: SIGNATURE };
}

function chunk({ id, model }: Reply, parts: readonly unknown[], finishReason?: string) {
  const candidate = {
    content: { role: 'model', parts },
    ...(finishReason === undefined ? {} : { finishReason }),
    index: 0,
  };
  return { candidates: [candidate], modelVersion: model, responseId: id };
}

function usage({ usage: { input, cached, output } }: Reply) {
  return {
    promptTokenCount: input,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  };
}

/** The last part comes with the reason to stop and the usage. */
function* frames(reply: Reply): Generator<Frame> {
  const texts = reply.pieces.map((text) => ({ text }));
  const [calls, before] = [
    reply.calls.map(functionCall),
    reply.calls.length > 0 ? texts : texts.slice(0, -1),
  ];
  const last = calls.length > 0 ? calls : texts.slice(-1);
  for (const part of before) yield bareFrame(chunk(reply, [part]));
  yield bareFrame({
    ...chunk(reply, last.length === 0 ? [{ text: '' }] : last, 'STOP'),
    usageMetadata: usage(reply),
  });
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function errorBody({ status, message }: WireError) {
  return { error: { code: status, message, status: STATUS_NAMES[status] ?? 'INTERNAL' } };
}
