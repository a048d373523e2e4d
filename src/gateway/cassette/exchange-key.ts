import { digestValue } from '../../base/digest.ts';
import type { ModelRequest } from '../exchange.ts';
import { asObject } from '../usage/answer-reader.ts';

/** What tells one exchange from another, without what is new in every run. */
export interface ExchangeKey {
  /** Over everything that the model is told. */
  readonly whole: string;
  /** Over the same without the results of tools: a command's output may tell times and process ids. */
  readonly withoutResults: string;
}

/** Members that name a session or a user, and mean nothing to the model. */
const NAMES_OF_SESSIONS = new Set([
  'metadata',
  'client_metadata',
  'prompt_cache_key',
  'safety_identifier',
  'session_id',
  'user',
]);

/** Results of tools, in the four protocols. */
const RESULTS = new Set(['tool_result', 'function_call_output', 'custom_tool_call_output']);

const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\bskp-[0-9a-f]{32}\b/g, 'TOKEN'],
  // Also behind a prefix, as in `msg_<uuid>`.
  [/(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, 'UUID'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, 'DATE'],
  [/\b\d{1,2}\/\d{1,2}\/\d{4}\b/g, 'DATE'],
  [
    /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2},? \d{4}\b/g,
    'DATE',
  ],
  [/\b\d{1,2}:\d\d:\d\d(?: ?[AP]M)?\b/g, 'TIME'],
  [/(?<![0-9a-z])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{12,64}\b/g, 'HEX'],
  [/\b1[6-9]\d{8}(?:\d{3})?\b/g, 'EPOCH'],
];

/** The key of a request: method, path, model, and the body with dates, ids and tokens made equal. */
export function exchangeKey({ protocol, method, path, body }: ModelRequest): ExchangeKey {
  const named = (value: unknown) => digestValue({ protocol, method, path: normal(path), body: value });
  const whole = normalValue(body, { withoutResults: false });
  return { whole: named(whole), withoutResults: named(normalValue(body, { withoutResults: true })) };
}

function normalValue(value: unknown, how: { readonly withoutResults: boolean }): unknown {
  if (typeof value === 'string') return normal(value);
  if (Array.isArray(value)) return value.map((item) => normalValue(item, how));
  const object = asObject(value);
  if (object === undefined) return value;
  if (how.withoutResults && isResult(object)) return { result: String(object.type ?? object.role) };
  return Object.fromEntries(
    Object.entries(object)
      .filter(([name]) => !NAMES_OF_SESSIONS.has(name))
      .map(([name, inner]) => [name, normalValue(inner, how)]),
  );
}

function isResult(object: Readonly<Record<string, unknown>>): boolean {
  if (object.role === 'tool' || object.functionResponse !== undefined) return true;
  return typeof object.type === 'string' && RESULTS.has(object.type);
}

function normal(text: string): string {
  return VOLATILE.reduce((before, [pattern, name]) => before.replace(pattern, name), text);
}
