import type { Clock } from '../../src/gateway/clock.ts';

/** A clock on which time passes only where somebody waits for it, and takes no time. */
export interface SimulatedClock extends Clock {
  /** Lets time pass until the work is done; rejects where it waits for something that never comes. */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Starts at 0 ms, as good an instant as any. */
export function simulatedClock(): SimulatedClock {
  let now = 0;
  const sleepers = new Set<Sleeper>();
  const settle = () => new Promise<void>((done) => setImmediate(done));
  const sleep: Clock['sleep'] = (ms, signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { at: now + Math.max(0, ms), wake: resolve };
    sleepers.add(sleeper);
    const leave = () => {
      sleepers.delete(sleeper);
      resolve();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return promise;
  };
  return {
    now: () => now,
    sleep,
    run: async (work) => {
      let done = false;
      const ended = work.finally(() => {
        done = true;
      });
      ended.catch(() => undefined);
      for (;;) {
        await settle();
        if (done) return await ended;
        const next = [...sleepers].sort((a, b) => a.at - b.at)[0];
        if (next === undefined) throw new Error(`at ${now} ms everybody waits and nobody sleeps`);
        sleepers.delete(next);
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}
