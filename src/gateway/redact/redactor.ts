import { MIN_SECRET_BYTES, type SecretForm, secretForms } from './secret-forms.ts';

/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Takes secrets out of what is kept, by their values. */
export interface Redactor {
  text(text: string): string;
  /** The same bytes object where nothing had to go. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** Every text inside a JSON value, names of members too. */
  value(value: unknown): unknown;
  /** For bytes that come piece by piece. */
  pieces(): PieceRedactor;
}

/** Takes secrets out of a stream of bytes, wherever it is cut. */
export interface PieceRedactor {
  /** What can go on; held back is only what may be the beginning of a secret, which ordinary text seldom is. */
  push(piece: Uint8Array): Uint8Array;
  /** What was held back, once nothing more comes. */
  end(): Uint8Array;
}

/**
 * Replaces each secret in its plain, JSON-escaped, percent-encoded and base64 forms (both alphabets, at every alignment). Secrets under
 * `minBytes` bytes are not looked for; by default {@link MIN_SECRET_BYTES}.
 */
export function makeRedactor(secrets: readonly string[], minBytes: number = MIN_SECRET_BYTES): Redactor {
  const worth = [...new Set(secrets)].filter((secret) => Buffer.byteLength(secret) >= minBytes);
  // Longest first: a secret that begins with another one has to go whole.
  const forms = worth.flatMap(secretForms).toSorted((a, b) => b.join('').length - a.join('').length);
  const patterns = forms.length === 0 ? undefined : patternsOf(forms);

  const latin1 = (text: string) =>
    patterns === undefined ? text : text.replace(patterns.whole, () => REDACTED);
  const bytes = (content: Uint8Array): Uint8Array => {
    const before = latin1Of(content);
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
    pieces: () => (patterns === undefined ? UNTOUCHED : pieceRedactor(patterns)),
  };
}

interface Patterns {
  readonly whole: RegExp;
  /** The longest end of a text that may be the beginning of a secret. */
  readonly begun: RegExp;
  /** Most characters that can be held back. */
  readonly longest: number;
}

const UNTOUCHED: PieceRedactor = { push: (piece) => piece, end: () => new Uint8Array() };
/** Of a byte that is written as `%XX`. */
const HALF_BYTE = '%[0-9a-fA-F]?';

function patternsOf(forms: readonly SecretForm[]): Patterns {
  const begun = forms.map((form) => form.reduceRight((rest, token) => `${token}(?:${rest})?`, ''));
  return {
    whole: new RegExp(forms.map((form) => form.join('')).join('|'), 'g'),
    begun: new RegExp(`(?:(?:${begun.join('|')})(?:${HALF_BYTE})?|${HALF_BYTE})$`),
    longest: Math.max(...forms.map((form) => 3 * form.length)),
  };
}

function pieceRedactor({ whole, begun, longest }: Patterns): PieceRedactor {
  let held = '';
  /** Where what may still become a secret, or a longer one, begins. */
  const beginning = (all: string, from: number): number => {
    const tail = Math.max(from, all.length - longest);
    const found = begun.exec(all.slice(tail));
    return found === null ? all.length : tail + found.index;
  };
  return {
    push: (piece) => {
      const all = held + latin1Of(piece);
      const open = beginning(all, 0);
      const { text, end } = replaced(all, whole, open);
      const until = end > open ? beginning(all, end) : open;
      held = all.slice(until);
      if (end === 0 && until === piece.byteLength && all.length === until) return piece;
      return Buffer.from(text + all.slice(end, until), 'latin1');
    },
    end: () => {
      const { text, end } = replaced(held, whole, held.length);
      return Buffer.from(text + held.slice(end), 'latin1');
    },
  };
}

/** The text up to the end of the last secret that begins before `before`, without any. */
function replaced(
  all: string,
  whole: RegExp,
  before: number,
): { readonly text: string; readonly end: number } {
  let text = '';
  let end = 0;
  for (const match of all.matchAll(whole)) {
    if (match.index >= before) break;
    text += all.slice(end, match.index) + REDACTED;
    end = match.index + match[0].length;
  }
  return { text, end };
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function redactedValue(value: unknown, text: (content: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((inner) => redactedValue(inner, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [text(name), redactedValue(inner, text)]),
  );
}
