import type { Random } from '../../base/random.ts';

/** First pause where a provider does not say how long, in ms; longer and longer while nothing gets through. */
export const FIRST_PAUSE_MS = 500;
/** Gentle: a pause that outlasts the limit costs as much as it is too long. */
const PAUSE_GROWTH = 1.4;
/** Longest pause that we choose ourselves, in ms. */
export const LONGEST_PAUSE_MS = 10_000;

/** After a refusal far above the limit the rate shrinks at most to this part. */
const FAR_ABOVE = 0.85;
/** After a refusal just above the limit it shrinks to this part. */
const JUST_ABOVE = 0.95;
/** Growth of the rate in a second, once it has stood still for a while. */
const GROWTH = 0.02;
/** How many pauses long the rate stands still: probing costs a pause, so it must be rare beside what it costs. */
const PAUSES_AT_REST = 40;
/** The same while the limit is still being looked for: the rate may well be too low by now. */
const PAUSES_AT_REST_AT_FIRST = 4;
/** So many accepted between two refusals mean that the provider is there, and pauses need not grow. */
const GOT_THROUGH = 3;
const LONGEST_REST_MS = 120_000;

/**
 * What the refusals of a provider teach about an account's limit: how long to pause, and how fast to go on. Refusals that arrive
 * together teach once. Pure but for the chance that spreads pauses; instants and durations are ms.
 */
export class LearntRate {
  readonly #random: Random;
  #perMs = Number.POSITIVE_INFINITY;
  #restUntil = 0;
  #grownAt = 0;
  #refusedAt: number | undefined;
  #pauseMs = 0;
  #pausedUntil = 0;
  #strikes = 0;
  #since: number | undefined;
  #accepted = 0;
  #near = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Nothing may begin before this instant. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Least time between two beginnings; 0 where nothing was learnt. */
  interval(now: number): number {
    if (this.#perMs === Number.POSITIVE_INFINITY) return 0;
    const from = Math.max(this.#grownAt, this.#restUntil);
    if (now > from) {
      this.#perMs *= Math.exp((GROWTH * (now - from)) / 1000);
      this.#grownAt = now;
    }
    return 1 / this.#perMs;
  }

  begun(now: number): void {
    this.#since ??= now;
    this.#accepted++;
  }

  /** A request that began at `begunAt` was refused; `askedMs` is how long the provider asks to wait. */
  refused(begunAt: number, now: number, askedMs: number | undefined): void {
    this.#accepted = Math.max(0, this.#accepted - 1);
    const first = this.#refusedAt === undefined || begunAt > this.#refusedAt;
    const pauses = first && this.#learn(now) ? PAUSES_AT_REST : PAUSES_AT_REST_AT_FIRST;
    if (first || askedMs !== undefined) {
      const pause = askedMs ?? this.#ownPause();
      this.#pauseMs = Math.max(pause, first ? 0 : this.#pauseMs);
      this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    }
    if (!first) return;
    this.#refusedAt = now;
    const rest = Math.min(LONGEST_REST_MS, pauses * this.#pauseMs);
    this.#restUntil = this.#pausedUntil + rest;
    this.#grownAt = this.#restUntil;
  }

  #ownPause(): number {
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * PAUSE_GROWTH ** this.#strikes);
    this.#strikes++;
    // Spread, so that several runners on one account do not come back together.
    return pause * (0.75 + this.#random() / 2);
  }

  /**
   * The rate at which requests got through since the last refusal, pause included, is the limit where the provider refused again at once;
   * where it did so after a long while, the present rate is just above the limit. Returns whether it was the latter.
   */
  #learn(now: number): boolean {
    const elapsed = Math.max(1000, now - (this.#refusedAt ?? this.#since ?? now));
    const measured = Math.max(1, this.#accepted) / elapsed;
    // Answers take long and refusals are quick: what began and was not refused got through.
    if (this.#accepted >= GOT_THROUGH) this.#strikes = 0;
    const isFirst = this.#perMs === Number.POSITIVE_INFINITY;
    const isLate = !isFirst && elapsed - this.#pauseMs >= 3 * this.#pauseMs;
    // Soon after a step down that was meant to be enough, one more of its kind is; after that the limit itself has moved.
    const isNear = isLate || this.#near;
    this.#near = isLate;
    this.#accepted = 0;
    if (isFirst) this.#perMs = measured;
    else if (isNear) this.#perMs *= JUST_ABOVE;
    else this.#perMs = Math.min(JUST_ABOVE * this.#perMs, Math.max(FAR_ABOVE * this.#perMs, measured));
    return isNear;
  }
}
