import type { ServerResponse } from 'node:http';
import type { ModelResponse } from './exchange.ts';
import type { Silence } from './silence.ts';
import { untilAborted } from './until-aborted.ts';
import type { AnswerObserver } from './usage/observe-answer.ts';

/** How an answer went through. */
export interface Relayed {
  readonly bytes: number;
  /** When the first byte of the body went on, in ms since 1970. */
  readonly firstByteAt: number | undefined;
  /** What broke the answer off on the provider's side. */
  readonly error: unknown;
}

/** What an answer goes through with. */
export interface RelayOptions {
  readonly observer: AnswerObserver;
  readonly now: () => number;
  /** Broken by each chunk. */
  readonly silence: Silence;
  /** Fires when the harness has left or the attempt is over. */
  readonly signal: AbortSignal;
}

interface Progress {
  bytes: number;
  firstByteAt: number | undefined;
}

/**
 * Sends an answer on, chunk by chunk as it comes and no faster than the harness reads; what observes it is served after the harness.
 * Where the answer breaks off, so does the connection to the harness. When the signal fires it ends at once, whatever the answer
 * is waiting for. Never rejects.
 */
export async function relay(
  response: ModelResponse,
  outgoing: ServerResponse,
  options: RelayOptions,
): Promise<Relayed> {
  const progress: Progress = { bytes: 0, firstByteAt: undefined };
  try {
    await untilAborted(pass(response, outgoing, { ...options, progress }), options.signal);
    return { ...progress, error: undefined };
  } catch (error) {
    outgoing.destroy();
    return { ...progress, error };
  }
}

async function pass(
  response: ModelResponse,
  outgoing: ServerResponse,
  { observer, now, silence, progress }: RelayOptions & { readonly progress: Progress },
): Promise<void> {
  outgoing.writeHead(response.status, response.headers);
  outgoing.flushHeaders();
  for await (const chunk of response.body) {
    if (outgoing.destroyed) break;
    silence.broken();
    const free = outgoing.write(chunk);
    progress.firstByteAt ??= now();
    progress.bytes += chunk.length;
    const reading = observer.push(chunk);
    if (reading !== undefined) await reading;
    if (!free) await drained(outgoing);
    // A harness that reads slowly is no silent provider.
    silence.broken();
  }
  outgoing.end();
}

/** Resolves when there is room again, or nobody left to write to. */
function drained(outgoing: ServerResponse): Promise<void> | undefined {
  if (outgoing.destroyed || !outgoing.writableNeedDrain) return undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const go = () => {
    outgoing.off('drain', go);
    outgoing.off('close', go);
    resolve();
  };
  outgoing.on('drain', go);
  outgoing.on('close', go);
  return promise;
}
