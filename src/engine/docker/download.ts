import { addAbortSignal, PassThrough, pipeline, type Readable } from 'node:stream';
import type { ApiCall, DockerApi } from './api.ts';
import { engineErrorFrom } from './engine-error.ts';

/**
 * A response for the caller to read. It fails with an EngineError when the engine breaks off or the signal fires;
 * destroying it frees the connection.
 */
export async function download(api: DockerApi, call: ApiCall): Promise<Readable> {
  const response = await api.stream(call);
  const out = new PassThrough();
  if (call.signal !== undefined) addAbortSignal(call.signal, response);
  pipeline(response, out, (error) => {
    if (error) out.destroy(engineErrorFrom(call.operation, error, call.signal));
  });
  return out;
}
