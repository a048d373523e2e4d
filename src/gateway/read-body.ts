import type { IncomingMessage } from 'node:http';
import zlib from 'node:zlib';

/** The largest request body that is taken, in bytes. */
export const MAX_REQUEST_BYTES = 64 * 2 ** 20;

/** Reads a request's body whole; undefined where it is longer than the limit. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_REQUEST_BYTES) return undefined;
  const parts: Buffer[] = [];
  let length = 0;
  // Ending early must not close the connection: the refusal goes over it.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const part of chunks) {
    length += part.length;
    if (length > MAX_REQUEST_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/** The body as JSON, through its content encoding; undefined where it is none or would be too large. */
export function jsonBody(bytes: Buffer, encoding: string | undefined): unknown {
  try {
    return JSON.parse(decoded(bytes, encoding?.trim().toLowerCase()).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  const limit = { maxOutputLength: MAX_REQUEST_BYTES };
  switch (encoding) {
    case 'gzip':
      return zlib.gunzipSync(bytes, limit);
    case 'deflate':
      return zlib.inflateSync(bytes, limit);
    case 'br':
      return zlib.brotliDecompressSync(bytes, limit);
    case 'zstd':
      return zlib.zstdDecompressSync(bytes, limit);
    default:
      return bytes;
  }
}
