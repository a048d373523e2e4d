import { Agent, request } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Talks to the engine's socket with nothing but node:http and kept connections. */
export class ThinClient {
  readonly #socketPath: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Sends a request and reads the whole answer. */
  send(wire: WireRequest): Promise<{ readonly status: number; readonly body: Buffer }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Buffer }>();
    const headers = { ...wire.headers, 'content-length': wire.body.byteLength };
    const { method, path } = wire;
    const outgoing = request(
      { socketPath: this.#socketPath, agent: this.#agent, method, path, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(wire.body);
    return promise;
  }

  /** Takes a connection over; resolves with it once the engine has agreed. */
  hijack({ method, path }: Pick<WireRequest, 'method' | 'path'>): Promise<Duplex> {
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
    const headers = { connection: 'Upgrade', upgrade: 'tcp' };
    const outgoing = request({ socketPath: this.#socketPath, method, path, headers });
    outgoing.on('error', reject);
    outgoing.on('upgrade', (_answer, socket) => resolve(socket));
    outgoing.end();
    return promise;
  }
}
