import type { Random } from '../../base/random.ts';
import type { Clock } from '../clock.ts';
import { LearntRate } from './learnt-rate.ts';

/** One request's turn at a provider; hold it while the request is open. */
export interface Turn extends Disposable {
  /** The provider refused for its limit. */
  refused(askedMs: number | undefined): void;
}

/** What an account may do. */
export interface AccountOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxConcurrent?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
}

interface Waiting {
  readonly since: number;
  readonly grant: () => void;
}

/** One key at one provider: the queue that all trials wait in, oldest wish first, and what its refusals have taught. */
export class Account {
  readonly #clock: Clock;
  readonly #learnt: LearntRate;
  readonly #maxConcurrent: number;
  readonly #leastInterval: number;
  readonly #queue: Waiting[] = [];
  #open = 0;
  #nextAt = 0;
  #wake: AbortController | undefined;
  #refusal: string | undefined;

  constructor({ clock, random, maxConcurrent, requestsPerMinute }: AccountOptions) {
    this.#clock = clock;
    this.#learnt = new LearntRate(random);
    this.#maxConcurrent = maxConcurrent ?? Number.POSITIVE_INFINITY;
    this.#leastInterval = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
  }

  /** Why nothing is asked any more: the provider refused the key. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  refuseAll(detail: string): void {
    this.#refusal ??= detail;
  }

  /**
   * Waits for a turn; undefined when the signal fires first. `since` is when the wish began: one that came back, after a refusal or
   * because its harness asked again, has the place that it had.
   */
  turn(since: number, signal: AbortSignal): Promise<Turn | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Turn | undefined>();
    const leave = () => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      resolve(undefined);
      this.#pump();
    };
    const grant = () => {
      signal.removeEventListener('abort', leave);
      resolve(this.#begin());
    };
    const waiting = { since, grant };
    signal.addEventListener('abort', leave, { once: true });
    const place = this.#queue.findIndex((other) => other.since > since);
    this.#queue.splice(place === -1 ? this.#queue.length : place, 0, waiting);
    this.#pump();
    return promise;
  }

  #begin(): Turn {
    const begunAt = this.#clock.now();
    this.#learnt.begun(begunAt);
    let held = true;
    return {
      refused: (askedMs) => this.#learnt.refused(begunAt, this.#clock.now(), askedMs),
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#open--;
        this.#pump();
      },
    };
  }

  /** Grants what may begin now, and sets the alarm for what may begin later. */
  #pump(): void {
    this.#wake?.abort();
    this.#wake = undefined;
    while (this.#queue.length > 0 && this.#open < this.#maxConcurrent) {
      const now = this.#clock.now();
      const at = Math.max(this.#nextAt, this.#learnt.pausedUntil);
      if (at > now) {
        this.#wakeIn(at - now);
        return;
      }
      const interval = Math.max(this.#leastInterval, this.#learnt.interval(now));
      // Timers come late: what was lost so is made up for, within one interval.
      this.#nextAt = Math.max(this.#nextAt, now - interval) + interval;
      this.#open++;
      this.#queue.shift()?.grant();
    }
  }

  #wakeIn(ms: number): void {
    const wake = new AbortController();
    this.#wake = wake;
    void this.#clock.sleep(ms, wake.signal).then(() => {
      if (!wake.signal.aborted) this.#pump();
    });
  }
}
