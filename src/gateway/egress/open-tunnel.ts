import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Two ends that are to become one line. */
export interface Tunnel {
  readonly socket: Duplex;
  /** What the client sent already. */
  readonly head: Buffer;
  /** On its way to being connected. */
  readonly upstream: Socket;
  readonly signal: AbortSignal;
}

/** Joins the two, and resolves when either has closed or the signal fired; both are closed by then. */
export async function openTunnel({ socket, head, upstream, signal }: Tunnel): Promise<void> {
  const close = () => {
    socket.destroy();
    upstream.destroy();
  };
  signal.addEventListener('abort', close, { once: true });
  socket.once('close', close);
  upstream.once('close', close);
  try {
    try {
      await once(upstream, 'connect');
    } catch {
      socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    upstream.on('error', close);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    socket.pipe(upstream);
    upstream.pipe(socket);
    if (!upstream.destroyed) await once(upstream, 'close');
  } finally {
    signal.removeEventListener('abort', close);
  }
}
