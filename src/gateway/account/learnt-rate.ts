import type { Random } from '../../base/random.ts';

/** First pause where a provider does not say how long, in ms; longer and longer while nothing gets through. */
const FIRST_PAUSE_MS = 500;
/** Gentle: a pause that outlasts the limit costs as much as it is too long. */
const PAUSE_GROWTH = 1.4;
/** Longest pause that we choose ourselves, in ms: some providers count refused requests too, and often asking would never end. */
const LONGEST_PAUSE_MS = 10_000;

/** Where the pace begins after a pause, as a part of the measured rate: what was paused away is still there to be used up. */
const BACK_OFF = 0.98;
/** Above the measured rate at once where the provider says how long to wait: being early costs a refusal then, and no time. */
const TOLD = 1.05;
/** How far above the measured rate the pace is after twice the time in which it came back to it. */
const PROBE = 0.3;
/** Bounds of that time, in ms, which is as long as the limit was used before: probing costs a pause, and must be rare beside what it costs. */
const LEAST_SPAN_MS = 10_000;
const LONGEST_SPAN_MS = 60_000;
/** After a refusal the rate shrinks at most to this part: a bucket that holds little runs over while the pace is too low, and measures too little. */
const FAR_ABOVE = 0.85;
/** A rate measured by few requests counts beside the rate before as if that had been measured by so many. */
const DOUBT = 3;

/**
 * What the refusals of a provider teach about an account's limit: how long to pause, and how fast to go on. Between two recoveries, the
 * moments when it takes requests again, a window is used up whole: so many requests in so much time is the rate. A bucket that holds
 * little may run over meanwhile, so no measure lowers the pace by much at once. The pace starts just below the rate, comes back to it,
 * and then probes above. Refusals that arrive together teach once. Pure but for the chance that spreads pauses; instants and durations are ms.
 */
export class LearntRate {
  readonly #random: Random;
  /** The rate measured last. */
  #perMs = Number.POSITIVE_INFINITY;
  /** The pace at which the limit was used up. */
  #paceBefore = Number.POSITIVE_INFINITY;
  /** When the provider took requests again before the present use of its limit began; at first, when it was first asked. */
  #recoveredAt: number | undefined;
  /** Begun since then and not refused. */
  #accepted = 0;
  /** Begin of the first request after the last pause: where it is refused too, the limit is still used up. */
  #probeAt: number | undefined;
  #sinceProbe = 0;
  #spanMs = LEAST_SPAN_MS;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  /** The last pause where it was our own guess: the recovery came somewhere in it. */
  #guessedMs = 0;
  #strikes = 0;
  #isPaused = false;

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
    return 1 / (this.#perMs * this.#part(now));
  }

  begun(now: number): void {
    this.#recoveredAt ??= now;
    if (this.#isPaused) this.#probe(now);
    if (this.#probeAt === undefined) this.#accepted++;
    else this.#sinceProbe++;
  }

  /** A request that began at `begunAt` was refused; `askedMs` is how long the provider asks to wait. */
  refused(begunAt: number, now: number, askedMs: number | undefined): void {
    const isProbe = begunAt === this.#probeAt;
    const isFirst = begunAt > this.#refusedAt;
    if (isFirst && this.#probeAt !== undefined) {
      if (!isProbe) this.#beginAnew(begunAt, this.#probeAt);
      this.#endProbe();
    }
    this.#accepted = Math.max(0, this.#accepted - 1);
    if (!isFirst && askedMs === undefined) return;
    this.#guessedMs = askedMs === undefined ? this.#guess() : 0;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + (askedMs ?? this.#guessedMs));
    this.#isPaused = true;
    if (isFirst) this.#refusedAt = now;
  }

  /** The pace as a part of the measured rate. */
  #part(now: number): number {
    const spans = (now - (this.#probeAt ?? now)) / this.#spanMs;
    return spans < 1 ? BACK_OFF + (1 - BACK_OFF) * spans : 1 + PROBE * (spans - 1) ** 2;
  }

  #guess(): number {
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * PAUSE_GROWTH ** this.#strikes);
    this.#strikes++;
    // Spread, so that several runners on one account do not come back together.
    return pause * (0.75 + this.#random() / 2);
  }

  /** The provider had recovered since the last pause, and its limit is used up again. */
  #beginAnew(begunAt: number, probeAt: number): void {
    this.#paceBefore = this.#perMs * this.#part(begunAt);
    this.#recoveredAt = probeAt - this.#guessedMs / 2;
    this.#accepted = 0;
    this.#strikes = 0;
  }

  #endProbe(): void {
    this.#accepted += this.#sinceProbe;
    this.#sinceProbe = 0;
    this.#probeAt = undefined;
  }

  /** The first request after a pause takes for granted that the provider has recovered; a refusal would put that right. */
  #probe(now: number): void {
    this.#isPaused = false;
    this.#endProbe();
    const elapsed = Math.max(1, now - this.#guessedMs - (this.#recoveredAt ?? now));
    const measured = this.#measured(elapsed) * (this.#guessedMs === 0 ? TOLD : 1);
    const before = this.#paceBefore;
    this.#perMs =
      before === Number.POSITIVE_INFINITY
        ? measured
        : Math.min(before, Math.max(FAR_ABOVE * before, measured));
    this.#spanMs = Math.min(LONGEST_SPAN_MS, Math.max(LEAST_SPAN_MS, elapsed));
    this.#probeAt = now;
  }

  /** A provider that was away for long is no slow one: pauses alone deal with limits as low as that. */
  #measured(elapsed: number): number {
    const known = this.#paceBefore === Number.POSITIVE_INFINITY ? 0 : DOUBT;
    const measured = Math.max(1, this.#accepted + known) / (elapsed + known / this.#paceBefore);
    return Math.max(1 / LONGEST_PAUSE_MS, measured);
  }
}
