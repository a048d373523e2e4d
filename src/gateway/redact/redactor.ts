import { Transform } from 'node:stream';
import { MIN_SECRET_BYTES, secretForms } from './secret-forms.ts';

/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Takes secrets out of what is kept, by their values. */
export interface Redactor {
  text(text: string): string;
  /** The same bytes object where nothing had to go. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** Every text inside a JSON value, names of members too. */
  value(value: unknown): unknown;
  /** For a stream of bytes: holds back only what may be the beginning of a secret, so that no cut hides one. */
  stream(): Transform;
}

/**
 * Replaces each secret in its plain, JSON-escaped, percent-encoded and base64 forms (both alphabets, at every alignment). Secrets under
 * {@link MIN_SECRET_BYTES} bytes are not looked for.
 */
export function makeRedactor(secrets: readonly string[]): Redactor {
  const worth = [...new Set(secrets)].filter((secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES);
  const forms = worth.map(secretForms);
  // Longest first: a secret that begins with another one has to go whole.
  const sources = forms.flatMap((form) => form.sources).toSorted((a, b) => b.length - a.length);
  const pattern = sources.length === 0 ? undefined : new RegExp(sources.join('|'), 'g');
  const longest = Math.max(1, ...forms.map((form) => form.longest));

  const latin1 = (text: string) => (pattern === undefined ? text : text.replace(pattern, REDACTED));
  const bytes = (content: Uint8Array): Uint8Array => {
    const before = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
    const after = latin1(before);
    return after === before ? content : Buffer.from(after, 'latin1');
  };
  const text = (content: string): string => {
    const before = Buffer.from(content, 'utf8').toString('latin1');
    const after = latin1(before);
    return after === before ? content : Buffer.from(after, 'latin1').toString('utf8');
  };
  return {
    text,
    bytes,
    value: (value) => redactedValue(value, text),
    stream: () => redactingStream(pattern, longest),
  };
}

function redactedValue(value: unknown, text: (content: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((inner) => redactedValue(inner, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [text(name), redactedValue(inner, text)]),
  );
}

/** A match that is not whole yet began less than `longest` bytes before the end: everything before that may go. */
function redactingStream(pattern: RegExp | undefined, longest: number): Transform {
  if (pattern === undefined)
    return new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) });
  let held = '';
  const settle = (all: string, safe: number): string => {
    let out = '';
    let from = 0;
    for (const match of all.matchAll(pattern)) {
      out += all.slice(from, match.index) + REDACTED;
      from = match.index + match[0].length;
    }
    const end = Math.max(from, safe);
    held = all.slice(end);
    return out + all.slice(from, end);
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const all = held + chunk.toString('latin1');
      done(null, Buffer.from(settle(all, Math.max(0, all.length - longest + 1)), 'latin1'));
    },
    flush: (done) => {
      done(null, Buffer.from(settle(held, held.length), 'latin1'));
    },
  });
}
