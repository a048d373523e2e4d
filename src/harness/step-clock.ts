/** Times of a program's events, as its own clock says them; events without one are passed over. */
export class StepClock {
  #firstMs: number | undefined;
  #lastMs: number | undefined;
  #longestGapMs = 0;

  /** Takes an ISO instant. One without a zone counts as UTC: only differences are ever used. */
  see(at: string | undefined): void {
    const now = instantMs(at);
    if (now === undefined) return;
    this.#firstMs ??= now;
    if (this.#lastMs !== undefined) this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastMs);
    this.#lastMs = Math.max(this.#lastMs ?? now, now);
  }

  /** From the first event to the last, in ms; undefined when none had a time. */
  get spanMs(): number | undefined {
    if (this.#firstMs === undefined || this.#lastMs === undefined) return undefined;
    return this.#lastMs - this.#firstMs;
  }

  /** The longest time between two events, in ms. */
  get longestGapMs(): number {
    return this.#longestGapMs;
  }
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Milliseconds since 1970 of an ISO instant; undefined for anything else. */
export function instantMs(at: string | undefined): number | undefined {
  const zone = at === undefined ? undefined : ISO.exec(at);
  if (at === undefined || zone === null || zone === undefined) return undefined;
  return Date.parse(zone[2] === undefined ? `${at}Z` : at);
}
