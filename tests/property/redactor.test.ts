import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeRedactor, type PieceRedactor } from '../../src/gateway/redact/redactor.ts';

/** Keys as providers make them, and some that need escaping everywhere. */
const secret = fc.oneof(
  fc.stringMatching(/^sk-[A-Za-z0-9_-]{16,60}$/),
  fc.stringMatching(/^[A-Za-z0-9+/=%&"\\ .]{8,40}$/),
  fc.string({ unit: 'grapheme', minLength: 6, maxLength: 30 }).filter((text) => Buffer.byteLength(text) >= 6),
);

/** Every way in which the secret may stand in a file, made without the code under test. */
function formsOf(value: string, before: Uint8Array, after: Uint8Array): Buffer[] {
  const inside = Buffer.concat([before, Buffer.from(value), after]);
  return [
    Buffer.from(value),
    Buffer.from(encodeURIComponent(wellFormed(value))),
    Buffer.from(encodeURIComponent(wellFormed(value)).replace(/%../g, (hex) => hex.toLowerCase())),
    Buffer.from(new URLSearchParams({ key: value }).toString().slice(4)),
    Buffer.from([...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
    Buffer.from(JSON.stringify(value).slice(1, -1)),
    Buffer.from(inside.toString('base64')),
    Buffer.from(inside.toString('base64url')),
  ];
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** Reads everything back that a reader of the file could: the bytes, and each stretch of them taken as an encoding. */
function readings(text: string): string[] {
  const stretches = text.match(/[A-Za-z0-9+/_-]{4,}/g) ?? [];
  const decoded = stretches.flatMap((stretch) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(stretch.slice(skip), 'base64').toString('latin1')),
  );
  const unescaped = text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return [text, unescaped, unescaped.replaceAll('+', ' '), ...decoded];
}

const around = fc.uint8Array({ maxLength: 5 });
const filler = fc.constantFrom('', ' ', '"', '\n', 'data: {"x":"', '"}\n\n', ',', '\u{1F511}');

describe('makeRedactor', () => {
  it('leaves no form of a secret readable, however a stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.record({ which: fc.nat(), form: fc.nat(), before: around, after: around, filler }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
        (secrets, places, cuts) => {
          const keys = secrets.map(wellFormed);
          const content = Buffer.concat(
            places.flatMap((place) => {
              const key = keys[place.which % keys.length] as string;
              const forms = formsOf(key, place.before, place.after);
              return [forms[place.form % forms.length] as Buffer, Buffer.from(`\n${place.filler}\n`)];
            }),
          );
          const redactor = makeRedactor(keys);
          const streamed = through(redactor.pieces(), content, cuts);
          expect(streamed.equals(Buffer.from(redactor.bytes(content)))).toBe(true);
          for (const reading of readings(streamed.toString('latin1'))) {
            for (const key of keys) {
              expect(reading.includes(Buffer.from(key).toString('latin1'))).toBe(false);
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('takes the longer of two secrets that begin alike, and holds nothing back that can be none', () => {
    const pieces = makeRedactor(['secret-of-one', 'secret-of-one-and-two']).pieces();
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    expect(text(pieces.push(Buffer.from('say: secret-of-one')))).toBe('say: ');
    expect(text(pieces.push(Buffer.from('-and-two, or')))).toBe('[redacted], or');
    expect(text(pieces.push(Buffer.from(' a secret-')))).toBe(' a ');
    expect(text(pieces.push(Buffer.from('ary')))).toBe('secret-ary');
    expect(text(pieces.end())).toBe('');
  });

  it('changes nothing of a text that holds no secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const redactor = makeRedactor(['sk-0123456789-never-in-the-text']);
        expect(redactor.text(text)).toBe(text);
      }),
    );
  });
});

function through(pieces: PieceRedactor, content: Buffer, cuts: readonly number[]): Buffer {
  const parts: Uint8Array[] = [];
  for (let from = 0, turn = 0; from < content.length; turn++) {
    const length = cuts[turn % cuts.length] as number;
    parts.push(pieces.push(content.subarray(from, from + length)));
    from += length;
  }
  return Buffer.concat([...parts, pieces.end()]);
}
