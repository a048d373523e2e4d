import type { ModelResponse } from '../../../../../src/gateway/exchange.ts';
import type { ModelProtocol } from '../../../../../src/model/model-protocol.ts';

/** What a client library makes of an answer. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly model: string;
  /** Reason to stop, in the protocol's own word. */
  readonly stop: string | undefined;
  readonly input: number;
  readonly output: number;
  /** Number of events that carried text. */
  readonly deltas: number;
}

/** The bytes of a body, as far as it comes; `error` where it breaks off. */
export async function drained(response: ModelResponse): Promise<{ text: string; error?: unknown }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body) chunks.push(chunk);
    return { text: Buffer.concat(chunks).toString() };
  } catch (error) {
    return { text: Buffer.concat(chunks).toString(), error };
  }
}

/** The events of a stream: name (where it has one) and data. */
export function eventsOf(text: string): { event: string | undefined; data: string }[] {
  if (text !== '' && !text.endsWith('\n\n')) throw new Error('the last event is torn');
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1],
      data: /^data: (.*)$/m.exec(block)?.[1] ?? '',
    }));
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is read here without the types of the code under test.
type Loose = any;

/** Reads a whole answer, streamed or plain, by the protocol's own rules. */
export async function readAnswer(protocol: ModelProtocol, response: ModelResponse): Promise<Answer> {
  const { text, error } = await drained(response);
  if (error !== undefined) throw error;
  if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`);
  if (!response.headers['content-type']?.startsWith('text/event-stream'))
    return PLAIN[protocol](JSON.parse(text));
  return STREAMED[protocol](eventsOf(text));
}

type Events = ReturnType<typeof eventsOf>;

const PLAIN: Readonly<Record<ModelProtocol, (body: Loose) => Answer>> = {
  'anthropic-messages': (body) => ({
    text: body.content
      .filter((one: Loose) => one.type === 'text')
      .map((one: Loose) => one.text)
      .join(''),
    calls: body.content
      .filter((one: Loose) => one.type === 'tool_use')
      .map(({ name, input }: Loose) => ({ name, input })),
    model: body.model,
    stop: body.stop_reason,
    input:
      body.usage.input_tokens + body.usage.cache_read_input_tokens + body.usage.cache_creation_input_tokens,
    output: body.usage.output_tokens,
    deltas: 0,
  }),
  'openai-responses': (body) => ({
    text: body.output
      .filter((one: Loose) => one.type === 'message')
      .flatMap((one: Loose) => one.content.map((part: Loose) => part.text))
      .join(''),
    calls: body.output
      .filter((one: Loose) => one.type.endsWith('_call'))
      .map((one: Loose) => ({
        name: one.name,
        input: one.type === 'custom_tool_call' ? one.input : JSON.parse(one.arguments),
      })),
    model: body.model,
    stop: body.status,
    input: body.usage.input_tokens,
    output: body.usage.output_tokens,
    deltas: 0,
  }),
  'openai-chat': (body) => ({
    text: body.choices[0].message.content ?? '',
    calls: (body.choices[0].message.tool_calls ?? []).map((one: Loose) => ({
      name: one.function.name,
      input: JSON.parse(one.function.arguments),
    })),
    model: body.model,
    stop: body.choices[0].finish_reason,
    input: body.usage.prompt_tokens,
    output: body.usage.completion_tokens,
    deltas: 0,
  }),
  gemini: (body) => fromGemini([body]),
};

function fromGemini(chunks: Loose[]): Answer {
  const parts = chunks.flatMap((chunk) => chunk.candidates[0].content.parts);
  const last = chunks.at(-1);
  const texts = parts.filter((part: Loose) => part.text !== undefined).map((part: Loose) => part.text);
  return {
    text: texts.join(''),
    calls: parts
      .filter((part: Loose) => part.functionCall)
      .map((part: Loose) => ({ name: part.functionCall.name, input: part.functionCall.args })),
    model: last.modelVersion,
    stop: last.candidates[0].finishReason,
    input: last.usageMetadata.promptTokenCount,
    output: last.usageMetadata.candidatesTokenCount,
    deltas: texts.length,
  };
}

const STREAMED: Readonly<Record<ModelProtocol, (events: Events) => Answer>> = {
  'anthropic-messages': (events) => {
    const all: Loose[] = events.map(({ event, data }) => {
      const value = JSON.parse(data);
      if (value.type !== event) throw new Error(`event ${event} holds ${value.type}`);
      return value;
    });
    const blocks: Loose[] = [];
    let deltas = 0;
    for (const one of all) {
      if (one.type === 'content_block_start') blocks[one.index] = { ...one.content_block, json: '' };
      if (one.delta?.type === 'text_delta') deltas += 1;
      if (one.delta?.type === 'text_delta') blocks[one.index].text += one.delta.text;
      if (one.delta?.type === 'input_json_delta') blocks[one.index].json += one.delta.partial_json;
    }
    const start = all[0].message;
    const end = all.find(({ type }) => type === 'message_delta');
    if (all.at(-1).type !== 'message_stop') throw new Error('no message_stop');
    const content = blocks.map((block) =>
      block.type === 'tool_use' ? { ...block, input: JSON.parse(block.json) } : block,
    );
    const usage = { ...start.usage, output_tokens: end.usage.output_tokens };
    return {
      ...PLAIN['anthropic-messages']({ ...start, content, stop_reason: end.delta.stop_reason, usage }),
      deltas,
    };
  },
  'openai-responses': (events) => {
    const all: Loose[] = events.map(({ data }) => JSON.parse(data));
    if (all.some((one, index) => one.sequence_number !== index || one.type !== events[index]?.event))
      throw new Error('events out of order');
    const done = all.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    const texts = all.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta);
    const { response } = all.at(-1);
    const answer = PLAIN['openai-responses']({ ...response, output: done });
    if (JSON.stringify(response.output) !== JSON.stringify(done))
      throw new Error('the items differ from those of the end');
    if (texts.join('') !== answer.text) throw new Error('the pieces differ from the whole');
    return { ...answer, deltas: texts.length };
  },
  'openai-chat': (events) => {
    if (events.at(-1)?.data !== '[DONE]') throw new Error('no [DONE]');
    const all: Loose[] = events.slice(0, -1).map(({ data }) => JSON.parse(data));
    const deltas = all.flatMap(({ choices }) => choices).map(({ delta }) => delta);
    const calls: Loose[] = [];
    for (const part of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
      calls[part.index] ??= { function: { name: part.function.name, arguments: '' } };
      calls[part.index].function.arguments += part.function.arguments;
    }
    const texts = deltas.map(({ content }) => content).filter((content) => content);
    const stop = all.flatMap(({ choices }) => choices).find((choice) => choice.finish_reason).finish_reason;
    const { usage, model } = all.at(-1);
    return {
      ...PLAIN['openai-chat']({
        model,
        usage: usage ?? {},
        choices: [{ message: { content: texts.join(''), tool_calls: calls }, finish_reason: stop }],
      }),
      deltas: texts.length,
    };
  },
  gemini: (events) => fromGemini(events.map(({ data }) => JSON.parse(data))),
};
