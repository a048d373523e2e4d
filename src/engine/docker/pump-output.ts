import type { Readable } from 'node:stream';
import { type Demux, type Framing, FramingError, makeDemux, type OutputPiece } from './demux.ts';

/** Where a stream's bytes go. A write that has not resolved holds the engine back. */
export interface OutputSink {
  write(bytes: Uint8Array): Promise<unknown>;
}

/** Both sinks, and how the stream that is moved to them is framed. */
export interface OutputSinks extends Readonly<Record<OutputPiece['stream'], OutputSink>> {
  readonly framing: Framing;
  /** Of both together; absent: no limit. */
  readonly limitBytes?: number | undefined;
}

/** What has been written so far, and what was wrong with the stream, if something was. */
export interface OutputCount {
  stdout: number;
  stderr: number;
  fault?: string;
  /** The limit is reached and more has come. */
  isFull?: boolean;
}

/**
 * Moves an attached stream to its sinks, one chunk at a time, so that memory stays flat however slow they are.
 * Resolves at the stream's end, whatever that was, or at the limit of bytes; rejects only when a sink does. Destroys the stream.
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
        const kept = withinLimit(bytes, sinks, count);
        await sinks[stream].write(kept);
        count[stream] += kept.byteLength;
      }
    }
  } finally {
    source.destroy();
  }
  const incomplete = demux.incomplete();
  if (incomplete !== undefined) count.fault ??= incomplete;
}

/** As much of it as there is room for; says in `count` when there was not enough. */
function withinLimit(bytes: Uint8Array, { limitBytes }: OutputSinks, count: OutputCount): Uint8Array {
  if (limitBytes === undefined) return bytes;
  const room = limitBytes - count.stdout - count.stderr;
  if (bytes.byteLength <= room) return bytes;
  count.isFull = true;
  count.fault ??= `there was more than ${limitBytes} bytes of it, and no more is kept`;
  return bytes.subarray(0, room);
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
