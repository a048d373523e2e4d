import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as a provider saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a fake provider does with a request; the body has been read. */
export type Answering = (response: ServerResponse, seen: SeenRequest, request: IncomingMessage) => void;

/** A model provider on this machine, over real sockets, that remembers what it was asked. */
export interface FakeProvider extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  answer(answering: Answering): void;
  /** How many of its answers were cut by the client. */
  readonly cut: () => number;
}

/** Starts a provider that answers as told. */
export async function fakeProvider(answering: Answering): Promise<FakeProvider> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let current = answering;
  let cut = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    response.on('close', () => {
      if (!response.writableFinished) cut++;
    });
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(parts).toString('utf8') };
      seen.push(one);
      current(response, one, request);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    cut: () => cut,
    answer: (next) => {
      current = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Answers with server-sent events, all at once. */
export function events(...data: readonly unknown[]): Answering {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(sse(...data));
  };
}

/** Server-sent events as bytes on the wire. */
export function sse(...data: readonly unknown[]): string {
  return data
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('');
}

/** Answers with JSON. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answering {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}
