import { z } from 'zod';

/** First line of a recorded exchange: whose it was, and its key. */
export const ExchangeHead = z.strictObject({
  schemaVersion: z.literal(1),
  trial: z.string(),
  attempt: z.int().positive(),
  /** 1, 2, ... in the order in which the attempt asked. */
  ordinal: z.int().positive(),
  protocol: z.string(),
  method: z.string(),
  path: z.string(),
  whole: z.string(),
  withoutResults: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
});
export type ExchangeHead = z.infer<typeof ExchangeHead>;

/** Every other line: a piece of the answer's body, and at last how it ended. */
export const ExchangePart = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.string() }),
  /** `cut`: it broke off, as it then does again. */
  z.strictObject({ end: z.enum(['whole', 'cut']) }),
]);
export type ExchangePart = z.infer<typeof ExchangePart>;

/** A chunk as a line's value: readable where its bytes are UTF-8 by themselves. */
export function partOf(chunk: Uint8Array): ExchangePart {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { text } : { base64: bytes.toString('base64') };
}

/** The chunk of such a value; undefined for the last line. */
export function chunkOf(part: ExchangePart): Uint8Array | undefined {
  if ('text' in part) return Buffer.from(part.text, 'utf8');
  return 'base64' in part ? Buffer.from(part.base64, 'base64') : undefined;
}
