import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ModelFault } from '../../model/model-script.ts';
import type { Frame, Wire, WireError } from './wire.ts';

type Body = AsyncIterable<Uint8Array>;

/** A body that is there at once. */
export async function* wholeBody(text: string): Body {
  if (text !== '') yield Buffer.from(text);
}

/** A body that never comes: it ends, by throwing, when the harness has gone. */
export async function* silentBody(signal: AbortSignal): Body {
  yield await silence(signal);
}

/** Waits until the signal fires, then throws its reason. */
export async function silence(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

/** How a stream goes out. */
export interface Streaming {
  /** Milliseconds between two events. */
  readonly chunkMs: number;
  readonly fault: ModelFault | undefined;
  readonly signal: AbortSignal;
}

/** A stream of events at its pace, with the fault that breaks it. */
export async function* streamBody(frames: Iterable<Frame>, wire: Wire, streaming: Streaming): Body {
  const { chunkMs, fault, signal } = streaming;
  let isFirst = true;
  for (const bytes of spoilt(frames, wire, fault?.kind)) {
    if (!isFirst && chunkMs > 0) await setTimeout(chunkMs, undefined, { signal });
    signal.throwIfAborted();
    isFirst = false;
    yield bytes;
  }
  if (fault?.kind === 'stall') await silence(signal);
  if (fault?.kind === 'truncate') throw new Error('the script cuts the stream here');
}

/** What a stream that breaks off with an error says. */
const STREAM_ERROR: WireError = { status: 529, message: 'scripted error in mid-stream' };

function* spoilt(
  frames: Iterable<Frame>,
  wire: Wire,
  kind: ModelFault['kind'] | undefined,
): Generator<Uint8Array> {
  switch (kind) {
    case 'garbage':
      yield* opening(frames, wire.opening);
      yield encoded({ ...(wire.opening > 0 ? { event: 'message' } : {}), data: '{not JSON' });
      return;
    case 'stream-error':
      yield* opening(frames, wire.opening);
      yield encoded(wire.errorFrame(STREAM_ERROR));
      return;
    case 'truncate':
    case 'stall':
      yield* firstHalf([...frames].map(encoded));
      return;
    default:
      for (const frame of frames) yield encoded(frame);
  }
}

function* opening(frames: Iterable<Frame>, count: number): Generator<Uint8Array> {
  let left = count;
  for (const frame of frames) {
    if (left-- <= 0) return;
    yield encoded(frame);
  }
}

/** Half of the events, the last of them torn. */
function* firstHalf(all: readonly Uint8Array[]): Generator<Uint8Array> {
  const half = Math.floor(all.length / 2);
  yield* all.slice(0, half);
  const torn = all[half];
  if (torn !== undefined) yield torn.subarray(0, Math.ceil(torn.length / 2));
}

function encoded({ event, data }: Frame): Uint8Array {
  return Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`);
}
