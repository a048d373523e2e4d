import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { ModelProtocol } from '../../model/model-protocol.ts';
import type { ModelRequest, ModelResponse, Respond } from '../exchange.ts';
import { connectionError, type ProviderConnection, providerAgent } from './provider-agent.ts';

/** An account as the live responder needs it. */
export interface LiveAccount {
  readonly protocol: ModelProtocol;
  /** Absent: the protocol's public endpoint. */
  readonly baseUrl?: string | undefined;
  /** The real key. It stays in this process and goes to the base URL alone. */
  readonly key: string;
}

/** Where each protocol lives in public. */
const PUBLIC: Readonly<Record<ModelProtocol, string>> = {
  'anthropic-messages': 'https://api.anthropic.com',
  'openai-responses': 'https://api.openai.com',
  'openai-chat': 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

/** Belong to one connection, or to this host alone: a provider's cookie is its mark for the host, and no trial's. */
const LEFT_OUT = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'set-cookie',
]);

/** A responder that asks a provider. Disposing closes its idle connections. */
export interface LiveResponder extends Disposable {
  readonly respond: Respond;
}

/**
 * Asks the provider with the real key, and passes its answer on as it comes: no byte is decoded, and none waits for another. The
 * body goes out as it came in. A connection that the provider had closed while it was idle is replaced once. Redirects are not followed:
 * the key must not go anywhere else.
 */
export function liveResponder(account: LiveAccount, connection: ProviderConnection = {}): LiveResponder {
  const base = new URL(account.baseUrl ?? PUBLIC[account.protocol]);
  const transport = base.protocol === 'https:' ? https : http;
  const agent = providerAgent(base, connection);
  const send = (request: ModelRequest, signal: AbortSignal): Promise<ModelResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<ModelResponse>();
    const outgoing = transport.request({
      agent,
      signal,
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port === '' ? undefined : base.port,
      path: base.pathname.replace(/\/+$/, '') + request.path,
      method: request.method,
      headers: headersFor(request, account.key),
    });
    outgoing.on('response', (incoming) => resolve(responseOf(incoming)));
    outgoing.on('error', (error) => {
      if (!outgoing.reusedSocket || !isStale(error)) return reject(connectionError(error, base));
      send(request, signal).then(resolve, reject);
    });
    outgoing.end(request.bytes);
    return promise;
  };
  return { respond: send, [Symbol.dispose]: () => agent.destroy() };
}

function headersFor(request: ModelRequest, key: string): Record<string, string> {
  const headers: Record<string, string> = { ...request.headers };
  // Compression would have to be undone for reading usage, and holds small events back.
  headers['accept-encoding'] = 'identity';
  if (request.bytes.length > 0 || request.method === 'POST')
    headers['content-length'] = String(request.bytes.length);
  if (request.protocol === 'anthropic-messages') headers['x-api-key'] = key;
  else if (request.protocol === 'gemini') headers['x-goog-api-key'] = key;
  else headers.authorization = `Bearer ${key}`;
  return headers;
}

function responseOf(incoming: IncomingMessage): ModelResponse {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined || LEFT_OUT.has(name)) continue;
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status: incoming.statusCode ?? 502, headers, body: incoming };
}

/** The kept connection was closed at the other end before it could read the request. */
function isStale(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE';
}
