import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../engine.ts';

/** What can end a main process before it ends by itself. */
export type Limit = 'timeout' | 'abort' | 'output' | 'output-lost';

/** What {@link endMain} watches and by what means it acts. */
export interface EndMainOptions {
  /** Settles when the engine says that the process has ended. */
  readonly exited: Promise<unknown>;
  /** Rejects when output can no longer be kept; resolves when no more comes or is wanted, which {@link isFull} tells apart. */
  readonly output: Promise<unknown>;
  /** Whether there was more output than may be. */
  readonly isFull: () => boolean;
  /** False when there was nothing left to signal. */
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => Promise<boolean>;
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly signal: AbortSignal;
}

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A killed process that is still there after this is stuck in the kernel, or the engine is. */
const KILL_BUDGET_MS = 60_000;

/**
 * Waits for the end of a main process, and brings it about at the first limit: TERM, grace, kill of the whole
 * container. Resolves with the limit that fired first, undefined when the process was faster than its TERM.
 */
export async function endMain(options: EndMainOptions): Promise<Limit | undefined> {
  const { exited, kill, graceMs } = options;
  const limit = await firstLimit(options);
  if (limit === undefined) return undefined;
  if (!(await kill('SIGTERM'))) {
    // It has ended, says the engine; that it forgot to tell is no reason to wait for ever.
    await settlesWithin(exited, KILL_BUDGET_MS);
    return undefined;
  }
  if (await settlesWithin(exited, graceMs)) return limit;
  await kill('SIGKILL');
  if (await settlesWithin(exited, KILL_BUDGET_MS)) return limit;
  throw new EngineError('kill container', 'other', `still running ${KILL_BUDGET_MS / 1000} s after SIGKILL`);
}

async function firstLimit({
  exited,
  output,
  isFull,
  timeoutMs,
  signal,
}: EndMainOptions): Promise<Limit | undefined> {
  const done = new AbortController();
  const fired = (limit: Limit) => () => limit;
  const timeout = sleep(Math.min(timeoutMs, LONGEST_TIMER_MS), undefined, { signal: done.signal });
  const abort = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: done.signal });
  });
  const never = new Promise<never>(() => undefined);
  try {
    return await Promise.race([
      exited.then(() => undefined),
      timeout.then(fired('timeout'), () => never),
      abort.then(fired('abort')),
      output.then(() => (isFull() ? 'output' : never), fired('output-lost')),
    ]);
  } finally {
    done.abort();
  }
}

/** Rejects with the promise; false when time runs out first. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const done = new AbortController();
  const expired = sleep(ms, false, { signal: done.signal }).catch(() => false);
  try {
    return await Promise.race([promise.then(() => true), expired]);
  } finally {
    done.abort();
  }
}
