/** For how long a provider has said nothing to a request that waits for it. Instants and durations are ms. */
export class Silence {
  readonly #now: () => number;
  #since: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** Something came: of the answer, or the turn to ask. */
  broken(): void {
    this.#since = this.#now();
  }

  get ms(): number {
    return this.#now() - this.#since;
  }
}
