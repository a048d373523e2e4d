const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = [...Buffer.from('data:')];

/** The longest event whose data is kept, in bytes: longer ones pass by unread. */
export const MAX_EVENT_BYTES = 16 * 2 ** 20;

/**
 * Reads server-sent events out of a stream of bytes, however it is cut into chunks. Holds at most one event, and none of
 * one that is longer than the limit: what it holds does not grow with the stream. Only `data` is reported; the four
 * protocols say everything in it.
 */
export class SseEvents {
  readonly #onData: (data: Buffer) => void;
  readonly #limit: number;
  /** Parts of the line that has not ended yet. */
  #line: Uint8Array[] = [];
  /** Data lines of the event that has not ended yet. */
  #data: Buffer[] = [];
  #held = 0;
  #skipping = false;

  constructor(onData: (data: Buffer) => void, limit: number = MAX_EVENT_BYTES) {
    this.#onData = onData;
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end === -1) break;
      this.#keep(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** Takes what stands without an empty line after it for an event too: some servers end their stream so. */
  end(): void {
    this.#endLine();
    this.#endEvent();
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#held += part.length;
    if (this.#held > this.#limit) {
      this.#skipping = true;
      this.#data = [];
      // Length is what tells an empty line from others: one byte of the line has to stay.
      this.#line = [part.subarray(0, 1)];
    } else this.#line.push(part);
  }

  #endLine(): void {
    const line = withoutReturn(joined(this.#line));
    this.#line = [];
    if (line.length === 0) this.#endEvent();
    else if (!this.#skipping && isData(line)) {
      this.#data.push(line.subarray(line[5] === 0x20 ? 6 : 5));
    }
  }

  #endEvent(): void {
    const lines = this.#data;
    this.#data = [];
    this.#held = 0;
    this.#skipping = false;
    const [first] = lines;
    if (first === undefined) return;
    const newline = Buffer.from('\n');
    this.#onData(
      lines.length === 1
        ? first
        : Buffer.concat(lines.flatMap((line, place) => (place === 0 ? [line] : [newline, line]))),
    );
  }
}

/** By its bytes: making a text of each line's beginning would cost more than all else here. */
function isData(line: Buffer): boolean {
  return DATA.every((byte, place) => line[place] === byte);
}

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  if (only === undefined) return Buffer.alloc(0);
  if (parts.length > 1) return Buffer.concat(parts);
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
