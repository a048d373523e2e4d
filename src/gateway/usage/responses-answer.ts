import type { TokenUsage } from '../../model/model-use.ts';
import {
  type AnswerReader,
  asObject,
  countOf,
  edges,
  errorText,
  factsOf,
  member,
  parsedJson,
  present,
  textOf,
} from './answer-reader.ts';

const WORTH = [
  '"response.created"',
  '"response.completed"',
  '"response.incomplete"',
  '"response.failed"',
  '"error"',
];

/** OpenAI Responses: the last event holds the whole response, with model, status and usage. */
export function responsesAnswer(): AnswerReader {
  let rawUsage: unknown;
  let servedModel: string | undefined;
  let error: string | undefined;
  let complete = false;

  const take = (response: unknown) => {
    servedModel = textOf(response, 'model') ?? servedModel;
    rawUsage = asObject(member(response, 'usage')) ?? rawUsage;
    const status = textOf(response, 'status');
    const wrong = member(response, 'error');
    if (status === 'failed' || asObject(wrong) !== undefined) error = errorText(wrong) ?? 'response failed';
    complete ||= status === 'completed' || status === 'incomplete';
  };
  const event = (data: Buffer) => {
    const seen = edges(data);
    if (!WORTH.some((mark) => seen.includes(mark))) return;
    const body = parsedJson(data);
    const type = textOf(body, 'type');
    if (type === 'error') error = errorText(member(body, 'error') ?? body) ?? 'error';
    else if (type?.startsWith('response.')) take(member(body, 'response'));
  };
  const plain = (body: unknown) => {
    take(body);
    // Counting and listing have no status: they are whole when they are there.
    complete ||= asObject(body) !== undefined && error === undefined;
  };
  const facts = () => factsOf({ servedModel, rawUsage, error, complete }, normalized);
  return { event, plain, facts };
}

/** By the API reference `input_tokens` includes cached tokens and `output_tokens` includes reasoning; the details are parts of them. */
function normalized(raw: unknown): TokenUsage {
  const input = member(raw, 'input_tokens_details');
  return present({
    input: countOf(raw, 'input_tokens'),
    cachedInput: countOf(input, 'cached_tokens'),
    cacheWrite: countOf(input, 'cache_write_tokens'),
    output: countOf(raw, 'output_tokens'),
    reasoning: countOf(member(raw, 'output_tokens_details'), 'reasoning_tokens'),
  });
}
