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

/** Chat Completions: usage comes in the last chunk, where the harness asked for it (`stream_options.include_usage`). */
export function chatAnswer(): AnswerReader {
  let last: Buffer | undefined;
  let rawUsage: unknown;
  let servedModel: string | undefined;
  let error: string | undefined;
  let complete = false;

  const take = (body: unknown) => {
    servedModel = textOf(body, 'model') ?? servedModel;
    rawUsage = asObject(member(body, 'usage')) ?? rawUsage;
    const wrong = member(body, 'error');
    if (wrong !== undefined && wrong !== null) error = errorText(wrong) ?? 'error';
  };
  const event = (data: Buffer) => {
    if (data.length < 16 && data.toString('latin1').trim() === '[DONE]') {
      complete = true;
      return;
    }
    const seen = edges(data);
    // Quotes inside JSON strings are escaped, so that these marks are members and never text of the model.
    complete ||= seen.includes('"finish_reason":"') || seen.includes('"finish_reason": "');
    if (servedModel === undefined || seen.includes('"error"')) take(parsedJson(data));
    // Some servers count in every chunk: only the last is parsed.
    if (seen.includes('"usage"') && !seen.includes('"usage":null')) last = data;
  };
  const plain = (body: unknown) => {
    take(body);
    complete = asObject(body) !== undefined && error === undefined;
  };
  const facts = () => {
    if (last !== undefined) take(parsedJson(last));
    return factsOf({ servedModel, rawUsage, error, complete }, normalized);
  };
  return { event, plain, facts };
}

/** By the API reference `prompt_tokens` includes cached tokens and `completion_tokens` includes reasoning. */
function normalized(raw: unknown): TokenUsage {
  const prompt = member(raw, 'prompt_tokens_details');
  return present({
    input: countOf(raw, 'prompt_tokens'),
    cachedInput: countOf(prompt, 'cached_tokens'),
    cacheWrite: countOf(prompt, 'cache_write_tokens'),
    output: countOf(raw, 'completion_tokens'),
    reasoning: countOf(member(raw, 'completion_tokens_details'), 'reasoning_tokens'),
  });
}
