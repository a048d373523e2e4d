import { setTimeout as delay } from 'node:timers/promises';

/** Time as the gateway sees it; tests put a simulated one in its place. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds, or at once when the signal fires (or has fired). Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    // Longer delays overflow the timer and would fire at once.
    await delay(Math.min(ms, 2 ** 31 - 1), undefined, { signal }).catch(() => undefined);
  },
};
