import type { Readable } from 'node:stream';
import type { ApiCall, DockerApi } from './api.ts';
import { engineErrorFrom } from './engine-error.ts';

/**
 * A call whose body is a stream. A source that fails (or had failed before) rejects the call with its own reason
 * instead of leaving the engine waiting for the rest, and a refused call ends the source and frees the connection.
 */
export async function upload(api: DockerApi, call: ApiCall & { readonly file: Readable }): Promise<Readable> {
  const { file: source } = call;
  let sourceError: unknown = source.errored ?? undefined;
  source.on('error', (error) => {
    sourceError ??= error;
  });
  try {
    if (sourceError !== undefined) throw sourceError;
    if (source.destroyed) throw new Error('the content to send was already closed');
    return await api.stream(call);
  } catch (error) {
    source.destroy(new Error('the engine did not take it'));
    throw engineErrorFrom(
      call.operation,
      sourceError ?? error,
      sourceError === undefined ? call.signal : undefined,
    );
  }
}
