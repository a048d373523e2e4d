import type { TokenUsage } from '../../model/model-use.ts';

/** What an answer says about itself. */
export interface AnswerFacts {
  readonly usage?: TokenUsage;
  /** The provider's own usage object. */
  readonly rawUsage?: unknown;
  readonly servedModel?: string;
  /** The error that the answer carries in itself, whatever its status says. */
  readonly error?: string;
  /** Whether the answer came to the end that its protocol gives an answer. */
  readonly complete: boolean;
}

/** Reads one answer of one protocol; takes events or one plain body, never both. */
export interface AnswerReader {
  /** Data of a server-sent event. The bytes are valid only during the call, unless copied. */
  event(data: Buffer): void;
  plain(body: unknown): void;
  facts(): AnswerFacts;
}

/** A JSON object, or undefined for anything else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** The member of an object, or undefined where it is not one. */
export function member(value: unknown, name: string): unknown {
  return asObject(value)?.[name];
}

/** A member that is a text. */
export function textOf(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** A member that is a count: a whole number from 0 on. */
export function countOf(value: unknown, name: string): number | undefined {
  const found = member(value, name);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
}

/** The sum of the counts that are there; undefined where none is. */
export function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  const there = counts.filter((count) => count !== undefined);
  return there.length === 0 ? undefined : there.reduce((sum, count) => sum + count, 0);
}

/** JSON, or undefined where the bytes are none: an answer that cannot be read is passed on all the same. */
export function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Leaves out what is undefined. */
export function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** What a reader has come upon so far. */
export interface Seen {
  readonly servedModel: string | undefined;
  readonly rawUsage: unknown;
  readonly error: string | undefined;
  readonly complete: boolean;
}

/** The facts of what was seen, its usage counted as its protocol counts. */
export function factsOf({ complete, ...seen }: Seen, normalized: (raw: unknown) => TokenUsage): AnswerFacts {
  const usage = seen.rawUsage === undefined ? undefined : normalized(seen.rawUsage);
  return { ...present({ ...seen, usage }), complete };
}

/** An error object in words: its message, and its type or code before it. */
export function errorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  if (asObject(error) === undefined) return undefined;
  const name = textOf(error, 'type') ?? textOf(error, 'status') ?? textOf(error, 'code');
  const message = textOf(error, 'message');
  return [name, message].filter((part) => part !== undefined).join(': ') || JSON.stringify(error);
}

const WHOLE_UP_TO = 8192;
const HEAD = 512;
const TAIL = 4096;

/**
 * Where the marks of an event are looked for: the event itself, or the beginning and the end of a long one. What is long in an event is one
 * text or one result, with the type before and the counts after it; to search all of it would cost more than to pass it on.
 */
export function edges(data: Buffer): Buffer {
  if (data.length <= WHOLE_UP_TO) return data;
  return Buffer.concat([data.subarray(0, HEAD), data.subarray(-TAIL)]);
}
