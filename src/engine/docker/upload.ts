import { PassThrough, type Readable } from 'node:stream';
import type { ApiCall, DockerApi } from './api.ts';
import { engineErrorFrom } from './engine-error.ts';

/** A body that is sent once, or what makes it anew for each time the call is made. */
export type Upload = Readable | (() => Readable);

type UploadCall = Omit<ApiCall, 'file'>;

/**
 * A call whose body is a stream. A source that fails (or had failed before) rejects the call with its own reason
 * instead of leaving the engine waiting for the rest; a refused call ends the source.
 */
export function upload(api: DockerApi, call: UploadCall & { readonly file: Upload }): Promise<Readable> {
  const { file, operation, signal } = call;
  if (typeof file !== 'function') return send(api, call, file);
  return api.insist({ operation, signal, again: 'always' }, () => send(api, call, file()));
}

async function send(api: DockerApi, call: UploadCall, source: Readable): Promise<Readable> {
  const body = new PassThrough().on('error', ignore);
  let sourceError: unknown = source.errored ?? undefined;
  const onSourceError = (error: Error) => {
    sourceError ??= error;
    body.destroy(error);
  };
  source.on('error', onSourceError);
  try {
    if (sourceError !== undefined) throw sourceError;
    if (source.destroyed) throw new Error('the content to send was already closed');
    return await api.stream({ ...call, file: source.pipe(body), again: 'never' });
  } catch (error) {
    // Ended and not destroyed: once there is an answer, a broken body is an error on a socket that nobody watches.
    source.off('error', onSourceError).on('error', ignore).unpipe(body).destroy();
    body.end();
    const own = sourceError === undefined;
    throw engineErrorFrom(call.operation, own ? error : sourceError, own ? call.signal : undefined);
  }
}

function ignore(): void {
  // Reported by the call itself.
}
