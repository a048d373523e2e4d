import { setInterval } from 'node:timers/promises';
import { type Container, EngineError } from '../engine/engine.ts';

/** How often the free space of the engine's disk is looked at. */
const LOOK_MS = 1000;
/** A container is measured this often whatever the disk says: others may free what it takes. */
const MEASURE_MS = 30_000;
/** The same where the disk cannot be seen from here. */
const UNSEEN_MEASURE_MS = 5000;
/** To walk through a million files on a busy machine. */
const MEASURE_BUDGET_MS = 60_000;

/** Bytes that are free on the disk of the engine; undefined where that disk is not this machine's. */
export type FreeSpace = () => Promise<number | undefined>;

/** A container whose disk is watched. Disposing ends the watch. */
export interface StorageWatch extends Disposable {
  /** Fires when the container has written more than it may. */
  readonly over: AbortSignal;
}

/**
 * Watches how much a running container writes, on any storage driver: most cannot limit it. Measuring walks through its files, so it is done
 * only once the disk has lost as much as the container may still take, and every {@link MEASURE_MS}. A container can be over its limit by
 * what it writes in a second. Volumes are not counted. Never rejects: an engine that does not answer is met elsewhere.
 */
export function watchStorage(
  container: Pick<Container, 'writtenBytes'>,
  from: { readonly limitBytes: number; readonly freeSpace: FreeSpace; readonly lookMs?: number },
): StorageWatch {
  const over = new AbortController();
  const end = new AbortController();
  const watching = watch(container, { ...from, end: end.signal });
  watching.then(
    (isOver) => isOver && over.abort(),
    () => undefined,
  );
  return { over: over.signal, [Symbol.dispose]: () => end.abort() };
}

interface Watched {
  readonly limitBytes: number;
  readonly freeSpace: FreeSpace;
  readonly lookMs?: number;
  readonly end: AbortSignal;
}

/** True once it is over its limit; false when the watch has ended before. */
async function watch(container: Pick<Container, 'writtenBytes'>, from: Watched): Promise<boolean> {
  const { limitBytes, freeSpace, end, lookMs = LOOK_MS } = from;
  let last = { written: 0, free: await freeSpace(), at: performance.now() };
  for await (const _ of setInterval(lookMs, undefined, { signal: end, ref: false })) {
    const free = await freeSpace();
    if (!isDue(last, { free, limitBytes })) continue;
    const written = (await measure(container, end)) ?? last.written;
    if (written > limitBytes) return true;
    last = { written, free, at: performance.now() };
  }
  return false;
}

function isDue(
  last: { readonly written: number; readonly free: number | undefined; readonly at: number },
  { free, limitBytes }: { readonly free: number | undefined; readonly limitBytes: number },
): boolean {
  const since = performance.now() - last.at;
  if (free === undefined || last.free === undefined) return since >= UNSEEN_MEASURE_MS;
  return since >= MEASURE_MS || last.free - free > limitBytes - last.written;
}

/** Undefined where the engine did not say. */
async function measure(
  container: Pick<Container, 'writtenBytes'>,
  end: AbortSignal,
): Promise<number | undefined> {
  try {
    return await container.writtenBytes(AbortSignal.any([end, AbortSignal.timeout(MEASURE_BUDGET_MS)]));
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
