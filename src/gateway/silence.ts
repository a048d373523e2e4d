/** For how long nothing has come of a request, the wait for a provider's limit included. Instants and durations are ms. */
export class Silence {
  readonly #now: () => number;
  #since: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** Something of the answer came. */
  broken(): void {
    this.#since = this.#now();
  }

  get ms(): number {
    return this.#now() - this.#since;
  }
}
