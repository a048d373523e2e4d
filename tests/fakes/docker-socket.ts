import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** One request as it reached the socket. */
export interface SocketRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Fulfilled when the whole body has come. */
  readonly body: Promise<Buffer>;
}

/** How a script answers. */
export interface SocketAnswer {
  /** A whole JSON answer. */
  json(value: unknown, status?: number): void;
  /** An error as the engine writes it. */
  fail(status: number, message: string): void;
  /** The head of an answer and some of its body; the rest is up to further calls. */
  write(text: string | Uint8Array): void;
  end(): void;
  /** Breaks the connection off, in whatever state the answer is. */
  hangUp(): void;
  /** Takes the connection over, as for attach. */
  upgrade(): Duplex;
}

/** Answers one route. */
export type SocketScript = (answer: SocketAnswer, request: SocketRequest) => unknown;

/** A real HTTP server on a unix socket in place of an engine. */
export interface DockerSocket extends AsyncDisposable {
  /** For DOCKER_HOST. */
  readonly address: string;
  /** `METHOD /path`, in order of arrival. */
  readonly requests: readonly string[];
  /** Replaces or adds answers. */
  script(more: Readonly<Record<string, SocketScript>>): void;
}

/**
 * Starts a server that answers as scripted, by `METHOD /path` (without the query). A ping is answered by itself;
 * whatever has no script gets 501, so that a superfluous call is a failure and not a silence.
 */
export async function makeDockerSocket(
  scripts: Readonly<Record<string, SocketScript>>,
): Promise<DockerSocket> {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-socket-'));
  const path = join(dir, 'engine.sock');
  const known: Record<string, SocketScript> = { 'GET /_ping': ({ json }) => json('OK'), ...scripts };
  const requests: string[] = [];
  const open = new Set<Duplex>();
  const answer = (incoming: IncomingMessage, way: SocketAnswer): void => {
    const url = new URL(incoming.url ?? '/', 'http://engine');
    const route = `${incoming.method} ${url.pathname}`;
    requests.push(route);
    const script = known[route] ?? (({ fail }: SocketAnswer) => fail(501, `no script for ${route}`));
    const body = buffer(incoming);
    body.catch(() => undefined);
    script(way, {
      method: incoming.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body,
    });
  };
  const server = createServer((incoming, outgoing) => answer(incoming, plainAnswer(outgoing)));
  server.on('upgrade', (incoming, socket) => answer(incoming, upgradeAnswer(socket)));
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    address: `unix://${path}`,
    requests,
    script: (more) => void Object.assign(known, more),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true });
    },
  };
}

function plainAnswer(outgoing: ServerResponse): SocketAnswer {
  const json = (value: unknown, status = 200) => {
    outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };
  return {
    json,
    fail: (status, message) => json({ message }, status),
    write: (text) => void outgoing.write(text),
    end: () => void outgoing.end(),
    hangUp: () => void outgoing.socket?.destroy(),
    upgrade: () => {
      throw new Error('the client did not ask for the connection');
    },
  };
}

function upgradeAnswer(socket: Duplex): SocketAnswer {
  const json = (value: unknown, status = 200) => {
    const body = JSON.stringify(value);
    socket.end(
      `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  };
  return {
    json,
    fail: (status, message) => json({ message }, status),
    write: (text) => void socket.write(text),
    end: () => void socket.end(),
    hangUp: () => void socket.destroy(),
    upgrade: () => {
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
      return socket;
    },
  };
}

/** One frame of an attached stream: 1 is stdout, 2 is stderr. */
export function streamFrame(type: number, payload: string | Uint8Array): Buffer {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(8);
  head[0] = type;
  head.writeUInt32BE(bytes.byteLength, 4);
  return Buffer.concat([head, bytes]);
}
