import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { TrialSession } from '../trial-session.ts';

/** What the proxy needs to know. */
export interface EgressProxyOptions {
  /** By token; those that ended are not in it. */
  readonly sessions: ReadonlyMap<string, TrialSession>;
  readonly clock: Clock;
}

/** Lets attempts out to the hosts that their tasks allow, and to no other. */
export class EgressProxy {
  constructor(options: EgressProxyOptions) {
    this.#options = options;
  }

  connect(_request: IncomingMessage, socket: Duplex, _head: Buffer): void {
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  }

  forward(_request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(403, { connection: 'close' }).end();
  }
}
