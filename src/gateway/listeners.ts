import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What the listeners hand on. */
export interface Handlers {
  readonly request: (request: IncomingMessage, response: ServerResponse) => void;
  /** A CONNECT request of a client that takes the gateway for its proxy. */
  readonly connect: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** How often another port is tried where one is taken on one of the addresses. */
const PORTS_TRIED = 20;

/** HTTP servers on several addresses with one port. Disposing closes them and every connection. */
export class Listeners implements AsyncDisposable {
  readonly #handlers: Handlers;
  readonly #servers = new Map<string, Server>();
  readonly #sockets = new Map<Server, Set<Socket>>();
  #port = 0;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens on all the addresses with a port that is free on each. Rejects with the system's error, also where no address was given. */
  async start(addresses: readonly string[]): Promise<void> {
    for (let tried = 1; ; tried++) {
      try {
        for (const address of addresses) await this.listen(address);
        if (this.#servers.size === 0) throw new Error('the gateway needs an address to listen on');
        return;
      } catch (error) {
        await this[Symbol.asyncDispose]();
        this.#port = 0;
        if (tried === PORTS_TRIED || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      }
    }
  }

  /** One more address; nothing happens where it is there already. Rejects with the system's error. */
  async listen(address: string): Promise<void> {
    if (this.#servers.has(address)) return;
    const server = this.#server();
    this.#servers.set(address, server);
    try {
      server.listen(this.#port, address);
      await once(server, 'listening');
    } catch (error) {
      this.#servers.delete(address);
      throw error;
    }
    const bound = server.address();
    if (typeof bound === 'object' && bound !== null) this.#port = bound.port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map((server) => this.#close(server)));
  }

  async #close(server: Server): Promise<void> {
    const sockets = this.#sockets.get(server) ?? [];
    this.#sockets.delete(server);
    if (!server.listening) return;
    const done = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await done;
  }

  #server(): Server {
    const options = {
      // A model may think for long, and a big request may come slowly: harnesses have limits of their own.
      requestTimeout: 0,
      keepAliveTimeout: 75_000,
      // Room for a few reads from a provider: with less, every chunk of a fast stream waits for the one before.
      highWaterMark: 2 ** 17,
      maxHeaderSize: 2 ** 16,
      shouldUpgradeCallback: (request: IncomingMessage) =>
        request.headers.upgrade?.toLowerCase() === 'websocket',
    };
    const server = createServer(options, this.#handlers.request);
    server.on('connect', this.#handlers.connect);
    // Codex tries a web socket first and, after this status, goes over to HTTP at once.
    server.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    const sockets = new Set<Socket>();
    this.#sockets.set(server, sockets);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // Also once it is a tunnel and no longer the server's own: an unheard error would end the process.
      socket.on('error', () => socket.destroy());
    });
    return server;
  }
}
