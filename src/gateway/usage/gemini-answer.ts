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
  sumOf,
  textOf,
} from './answer-reader.ts';

/** Gemini: every chunk is a response of its own with running totals; the last one wins. */
export function geminiAnswer(): AnswerReader {
  let last: Buffer | undefined;
  let rawUsage: unknown;
  let servedModel: string | undefined;
  let error: string | undefined;
  let complete = false;

  const take = (body: unknown) => {
    servedModel = textOf(body, 'modelVersion') ?? servedModel;
    rawUsage = asObject(member(body, 'usageMetadata')) ?? rawUsage;
    const wrong = member(body, 'error');
    if (wrong !== undefined) error = errorText(wrong) ?? 'error';
  };
  const event = (data: Buffer) => {
    const seen = edges(data);
    complete ||= seen.includes('"finishReason"') || seen.includes('"blockReason"');
    if (servedModel === undefined || seen.includes('"error"')) take(parsedJson(data));
    if (seen.includes('"usageMetadata"')) last = data;
  };
  const plain = (body: unknown) => {
    // Without `alt=sse` a stream is one JSON array of chunks.
    for (const part of Array.isArray(body) ? body : [body]) take(part);
    complete = typeof body === 'object' && body !== null && error === undefined;
  };
  const facts = () => {
    if (last !== undefined) take(parsedJson(last));
    return factsOf({ servedModel, rawUsage, error, complete }, normalized);
  };
  return { event, plain, facts };
}

/**
 * By the API reference `promptTokenCount` includes cached content and leaves out what tools of the provider read
 * (`toolUsePromptTokenCount`); `candidatesTokenCount` leaves out thoughts. The three and the thoughts add up to `totalTokenCount`.
 */
function normalized(raw: unknown): TokenUsage {
  const reasoning = countOf(raw, 'thoughtsTokenCount');
  return present({
    input: sumOf(countOf(raw, 'promptTokenCount'), countOf(raw, 'toolUsePromptTokenCount')),
    cachedInput: countOf(raw, 'cachedContentTokenCount'),
    output: sumOf(countOf(raw, 'candidatesTokenCount'), reasoning),
    reasoning,
  });
}
