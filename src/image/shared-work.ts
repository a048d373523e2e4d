/** Runs work once per key, however many ask for it at the same time; what failed may be tried again. */
export interface SharedWork<T> {
  /** Joins the work of that key or starts it. `signal` ends the caller's waiting only, never the work. */
  join(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A {@link SharedWork} that lives as long as its owner and remembers what succeeded. */
export function makeSharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Promise<T>>();
  return {
    async join(key, work, signal) {
      signal.throwIfAborted();
      const joined = running.get(key) ?? work();
      running.set(key, joined);
      joined.catch(() => {
        if (running.get(key) === joined) running.delete(key);
      });
      return untilAborted(joined, signal);
    },
  };
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
