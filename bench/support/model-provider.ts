import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A provider in a process of its own, so that its work is not the gateway's. What it sends stands in the query of the request:
 * so many events of so many bytes, so many ms apart.
 */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const { searchParams } = new URL(request.url ?? '/', 'http://provider');
    const events = Number(searchParams.get('events') ?? 1);
    const bytes = Number(searchParams.get('bytes') ?? 100);
    const everyMs = Number(searchParams.get('every') ?? 0);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void send(eventOf(bytes), { events, everyMs, write: (text) => response.write(text), response }).then(() =>
      response.end('data: {"type":"message_stop"}\n\n'),
    );
  });
});

interface Sending {
  readonly events: number;
  readonly everyMs: number;
  readonly write: (text: string) => boolean;
  readonly response: { once(event: 'drain', listener: () => void): unknown };
}

/** By the clock, not by adding up timers: what comes late is caught up with, as a model's own pace is. */
async function send(event: string, { events, everyMs, write, response }: Sending): Promise<void> {
  const from = performance.now();
  for (let sent = 0; sent < events; sent++) {
    const wait = from + sent * everyMs - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    if (!write(event)) await new Promise<void>((done) => response.once('drain', done));
  }
}

function eventOf(bytes: number): string {
  const head = 'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"';
  return `${head}${'x'.repeat(Math.max(1, bytes - head.length - 6))}"}}\n\n`;
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
