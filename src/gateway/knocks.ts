import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExpectedKnock, Knock } from './gateway.ts';

const PREFIX = '/knock/';

/** Who is expected at the gateway's door, by a secret word each. */
export class Knocks {
  readonly #expected = new Map<string, (knock: Knock) => void>();

  /** The first who comes by the new path is it; the word means nothing afterwards. */
  expect(): ExpectedKnock {
    const word = randomBytes(16).toString('hex');
    const { promise: heard, resolve } = Promise.withResolvers<Knock>();
    this.#expected.set(word, resolve);
    return { path: PREFIX + word, heard, [Symbol.dispose]: () => void this.#expected.delete(word) };
  }

  /** False for a request that is no knock. The answer to an expected one begins and never ends, so that each side notices when the other goes. */
  answer(path: string, { socket }: IncomingMessage, response: ServerResponse): boolean {
    if (!path.startsWith(PREFIX)) return false;
    const { pathname, searchParams } = new URL(path, 'http://gateway');
    const word = pathname.slice(PREFIX.length);
    const opened = this.#expected.get(word);
    this.#expected.delete(word);
    if (opened === undefined) {
      response.writeHead(404, { connection: 'close' }).end();
      return true;
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    socket.setKeepAlive(true, 30_000);
    response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
    opened({ told: Object.fromEntries(searchParams), gone: gone.signal });
    return true;
  }
}
