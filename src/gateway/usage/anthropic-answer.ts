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

/** Marks of the events that are worth parsing: all others are text and tool input on its way. */
const WORTH = ['"message_start"', '"message_delta"', '"message_stop"', '"error"'];

/**
 * Anthropic Messages: `message_start` carries model and first counts, `message_delta` the running totals that replace them.
 */
export function anthropicAnswer(): AnswerReader {
  let raw: Record<string, unknown> | undefined;
  let servedModel: string | undefined;
  let error: string | undefined;
  let complete = false;

  const addUsage = (usage: unknown) => {
    const found = asObject(usage);
    if (found === undefined) return;
    const known = Object.entries(found).filter(([, value]) => value !== null);
    raw = { ...raw, ...Object.fromEntries(known) };
  };
  const event = (data: Buffer) => {
    const seen = edges(data);
    if (!WORTH.some((mark) => seen.includes(mark))) return;
    const body = parsedJson(data);
    const type = textOf(body, 'type');
    if (type === 'message_start') {
      servedModel = textOf(member(body, 'message'), 'model');
      addUsage(member(member(body, 'message'), 'usage'));
    } else if (type === 'message_delta') addUsage(member(body, 'usage'));
    else if (type === 'message_stop') complete = true;
    else if (type === 'error') error = errorText(member(body, 'error')) ?? 'error';
  };
  const plain = (body: unknown) => {
    servedModel = textOf(body, 'model');
    addUsage(member(body, 'usage'));
    const wrong = member(body, 'error');
    if (wrong !== undefined) error = errorText(wrong);
    complete = asObject(body) !== undefined && wrong === undefined;
  };
  const facts = () => factsOf({ servedModel, rawUsage: raw, error, complete }, normalized);
  return { event, plain, facts };
}

/**
 * By the provider's documentation of prompt caching, `input_tokens` holds only what comes after the last cache breakpoint; everything read
 * is `cache_read_input_tokens + cache_creation_input_tokens + input_tokens`.
 */
function normalized(raw: unknown): TokenUsage {
  const cachedInput = countOf(raw, 'cache_read_input_tokens');
  const cacheWrite = countOf(raw, 'cache_creation_input_tokens');
  return present({
    input: sumOf(countOf(raw, 'input_tokens'), cachedInput, cacheWrite),
    cachedInput,
    cacheWrite,
    output: countOf(raw, 'output_tokens'),
    reasoning: countOf(member(raw, 'output_tokens_details'), 'thinking_tokens'),
  });
}
