import { setInterval } from 'node:timers/promises';
import { type Container, EngineError } from '../engine/engine.ts';

/** How often the free space of the engine's disk is looked at. */
const LOOK_MS = 1000;
/** A container is measured this often while the disk has lost what it may hold: others may free what it takes. */
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
  /** What broke the watch itself, if anything did; then `over` has fired too. */
  fault(): unknown;
}

/**
 * Watches how much a running container writes, on any storage driver: most cannot limit it. Measuring walks through its files, so it is done
 * only once the disk has lost as much as the container may still take. The engine counts the holes of a file as written: where the disk has not
 * lost half of what the container may write, it is not over. It can be over by what it writes in a second. Volumes are not counted. Never
 * rejects: an engine that does not answer is met elsewhere.
 */
export function watchStorage(
  container: Pick<Container, 'writtenBytes'>,
  from: { readonly limitBytes: number; readonly freeSpace: FreeSpace; readonly lookMs?: number },
): StorageWatch {
  const over = new AbortController();
  const end = new AbortController();
  let fault: unknown;
  watch(container, { ...from, end: end.signal }).then(
    (isOver) => isOver && over.abort(),
    (error: unknown) => {
      if (end.signal.aborted) return;
      fault = error;
      over.abort();
    },
  );
  return { over: over.signal, fault: () => fault, [Symbol.dispose]: () => end.abort() };
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
  const atFirst = await freeSpace();
  let last = { written: 0, free: atFirst, at: performance.now() };
  for await (const _ of setInterval(lookMs, undefined, { signal: end, ref: false })) {
    const free = await freeSpace();
    if (!isDue(last, { atFirst, free, limitBytes })) continue;
    const written = (await measure(container, end)) ?? last.written;
    if (written > limitBytes) return true;
    last = { written, free, at: performance.now() };
  }
  return false;
}

interface Disk {
  /** When the container began. */
  readonly atFirst: number | undefined;
  readonly free: number | undefined;
  readonly limitBytes: number;
}

function isDue(
  last: { readonly written: number; readonly free: number | undefined; readonly at: number },
  { atFirst, free, limitBytes }: Disk,
): boolean {
  const since = performance.now() - last.at;
  if (free === undefined || last.free === undefined || atFirst === undefined)
    return since >= UNSEEN_MEASURE_MS;
  if (atFirst - free < limitBytes / 2) return false;
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
