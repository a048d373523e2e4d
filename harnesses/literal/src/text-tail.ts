/** Keeps the last part of a stream of bytes, with memory bounded by twice the limit and one chunk. */
export class TextTail {
  readonly #limit: number;
  #kept = Buffer.alloc(0);
  #dropped = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk]);
    this.#dropped ||= all.byteLength > this.#limit;
    this.#kept = all.subarray(-this.#limit);
  }

  /** The text kept; `…` in front where something before it was dropped. */
  text(): string {
    return `${this.#dropped ? '…' : ''}${this.#kept.toString('utf8')}`;
  }
}
