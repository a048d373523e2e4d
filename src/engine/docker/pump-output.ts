import type { Readable } from 'node:stream';
import { type Demux, type Framing, FramingError, makeDemux, type OutputPiece } from './demux.ts';

/** Where a stream's bytes go. A write that has not resolved holds the engine back. */
export interface OutputSink {
  write(bytes: Uint8Array): Promise<unknown>;
}

/** Both sinks, and how the stream that is moved to them is framed. */
export interface OutputSinks extends Readonly<Record<OutputPiece['stream'], OutputSink>> {
  readonly framing: Framing;
}

/** What has been written so far, and what was wrong with the stream, if something was. */
export interface OutputCount {
  stdout: number;
  stderr: number;
  fault?: string;
}

/**
 * Moves an attached stream to its sinks, one chunk at a time, so that memory stays flat however slow they are.
 * Resolves at the stream's end, whatever that was; rejects only when a sink does, and then destroys the stream.
 * `count` is kept up to date all the while.
 */
export async function pumpOutput(source: Readable, sinks: OutputSinks, count: OutputCount): Promise<void> {
  const demux = makeDemux(sinks.framing);
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    while (count.fault === undefined) {
      const chunk = await nextChunk(iterator, count);
      if (chunk === undefined) break;
      for (const { stream, bytes } of takeApart(demux, chunk, count)) {
        await sinks[stream].write(bytes);
        count[stream] += bytes.byteLength;
      }
    }
  } finally {
    source.destroy();
  }
  const incomplete = demux.incomplete();
  if (incomplete !== undefined) count.fault ??= incomplete;
}

/** At a fault in the framing what stood before it is kept. */
function takeApart(demux: Demux, chunk: Uint8Array, count: OutputCount): readonly OutputPiece[] {
  try {
    return demux.push(chunk);
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    count.fault = error.message;
    return error.pieces;
  }
}

/** A broken connection ends the output; what came before it is kept. */
async function nextChunk(
  iterator: AsyncIterator<Uint8Array>,
  count: OutputCount,
): Promise<Uint8Array | undefined> {
  try {
    const next = await iterator.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    count.fault ??= `the stream broke off: ${error instanceof Error ? error.message : String(error)}`;
    return undefined;
  }
}
