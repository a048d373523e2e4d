import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ModelResponse } from './exchange.ts';
import type { AnswerObserver } from './usage/observe-answer.ts';

/** How an answer went through. */
export interface Relayed {
  readonly bytes: number;
  /** When the first byte of the body went on, in ms since 1970. */
  readonly firstByteAt: number | undefined;
  /** What broke the answer off on the provider's side. */
  readonly error: unknown;
}

/**
 * Sends an answer on, chunk by chunk as it comes and no faster than the harness reads; what observes it is served after the harness.
 * Where the answer breaks off, so does the connection to the harness. Never rejects.
 */
export async function relay(
  response: ModelResponse,
  outgoing: ServerResponse,
  { observer, now }: { readonly observer: AnswerObserver; readonly now: () => number },
): Promise<Relayed> {
  let bytes = 0;
  let firstByteAt: number | undefined;
  try {
    outgoing.writeHead(response.status, response.headers);
    outgoing.flushHeaders();
    for await (const chunk of response.body) {
      if (outgoing.destroyed) break;
      const free = outgoing.write(chunk);
      firstByteAt ??= now();
      bytes += chunk.length;
      const reading = observer.push(chunk);
      if (reading !== undefined) await reading;
      if (!free) await drained(outgoing);
    }
    outgoing.end();
    return { bytes, firstByteAt, error: undefined };
  } catch (error) {
    outgoing.destroy();
    return { bytes, firstByteAt, error };
  }
}

/** Resolves when there is room again, or nobody left to write to. */
async function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed || !outgoing.writableNeedDrain) return;
  const gone = new AbortController();
  const close = () => gone.abort();
  outgoing.once('close', close);
  try {
    await once(outgoing, 'drain', { signal: gone.signal });
  } catch {
    // Whoever reads the answer has left.
  } finally {
    outgoing.off('close', close);
  }
}
