import type { IncomingHttpHeaders } from 'node:http';
import type { ModelRequest } from './exchange.ts';
import { jsonBody } from './read-body.ts';
import type { Recognized } from './recognize.ts';
import { member, textOf } from './usage/answer-reader.ts';

/** Credentials, what belongs to one connection, and what is made anew for the next one. */
const LEFT_OUT = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cookie',
  'proxy-authorization',
  'proxy-connection',
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** What came in, before it is a request for a model. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The request as the rest of the gateway sees it: recognised, read, and without its credentials. */
export function modelRequest(received: Received, recognized: Recognized): ModelRequest {
  const { method, url, headers, bytes } = received;
  const body = jsonBody(bytes, headers['content-encoding']);
  return {
    protocol: recognized.protocol,
    kind: recognized.kind,
    method,
    path: recognized.path + queryWithoutKey(url),
    headers: keptHeaders(headers),
    bytes,
    body,
    model: recognized.model ?? textOf(body, 'model'),
    stream: recognized.stream ?? member(body, 'stream') === true,
  };
}

/** As it was written but for `key`: providers compare some parameters byte for byte. */
function queryWithoutKey(url: URL): string {
  const parts = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^key(=|$)/.test(part));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  const ofConnection = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || LEFT_OUT.has(name) || ofConnection.includes(name)) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return kept;
}
