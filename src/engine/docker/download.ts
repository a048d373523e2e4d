import { addAbortSignal, Readable } from 'node:stream';
import type { ApiCall, DockerApi } from './api.ts';
import { engineErrorFrom } from './engine-error.ts';

/** The engine looks for what is asked before it answers; what it then sends may take any time. */
const BEGIN_MS = 600_000;

/**
 * A response for the caller to read. It fails with an EngineError when the engine breaks off or the signal fires;
 * destroying it frees the connection.
 */
export async function download(api: DockerApi, call: ApiCall): Promise<Readable> {
  const response = await api.stream({ withinMs: BEGIN_MS, ...call });
  // A failure before the first read must wait for that read and not end the process.
  response.on('error', () => undefined);
  if (call.signal !== undefined) addAbortSignal(call.signal, response);
  const out = Readable.from(withEngineErrors(response, call), { objectMode: false });
  // A generator that was never started does not clean up.
  out.once('close', () => response.destroy());
  return out;
}

async function* withEngineErrors(response: Readable, call: ApiCall): AsyncGenerator<Uint8Array> {
  try {
    yield* response as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw engineErrorFrom(call.operation, error, call.signal);
  }
}
