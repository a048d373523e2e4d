import { once } from 'node:events';
import http from 'node:http';
import { median } from './figure.ts';

/** What is asked of the client: so many streams at once of one address. */
export interface StreamOrder {
  readonly url: string;
  readonly token: string;
  readonly at: number;
}

/** How it went: the middle of the first bytes, and when the last stream ended. */
export interface StreamReading {
  readonly firstByteMs: number;
  readonly totalMs: number;
}

const agent = new http.Agent({ keepAlive: true });

/** Reads streams in a process of its own, as harnesses do: its work must not be counted as the gateway's. */
async function read({ url, token, at }: StreamOrder): Promise<StreamReading> {
  const all = await Promise.all(Array.from({ length: at }, () => readOne(url, token)));
  return {
    firstByteMs: median(all.map(({ firstByteMs }) => firstByteMs)),
    totalMs: Math.max(...all.map(({ totalMs }) => totalMs)),
  };
}

async function readOne(url: string, token: string): Promise<StreamReading> {
  const from = performance.now();
  const headers = { 'x-api-key': token, 'content-type': 'application/json' };
  const request = http.request(url, { method: 'POST', agent, headers });
  request.end('{"model":"bench","stream":true,"messages":[]}');
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the answer was ${response.statusCode}`);
  let firstByteMs: number | undefined;
  response.on('data', () => {
    firstByteMs ??= performance.now() - from;
  });
  await once(response, 'end');
  return { firstByteMs: firstByteMs ?? Number.NaN, totalMs: performance.now() - from };
}

process.on('message', (order: StreamOrder) => {
  void read(order).then((reading) => process.send?.(reading));
});
