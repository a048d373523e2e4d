/** A stretch of one of the two output streams. The bytes are a view of the chunk that was pushed. */
export interface OutputPiece {
  readonly stream: 'stdout' | 'stderr';
  readonly bytes: Uint8Array;
}

/** `framed`: eight-byte heads before every stretch (no TTY). `raw`: everything is stdout (TTY). */
export type Framing = 'framed' | 'raw';

/** Takes an attached stream apart as it comes; holds no more than one head, whatever the size of a frame. */
export interface Demux {
  /** Throws {@link FramingError} at a head that cannot be one; pieces before it are in the error. */
  push(chunk: Uint8Array): OutputPiece[];
  /** Why the stream is incomplete, if it is; to be called at its end. */
  incomplete(): string | undefined;
}

/** The bytes are no framed stream. `pieces` is what stood before the fault in the same chunk. */
export class FramingError extends Error {
  readonly pieces: readonly OutputPiece[];
  constructor(message: string, pieces: readonly OutputPiece[]) {
    super(message);
    this.name = 'FramingError';
    this.pieces = pieces;
  }
}

const HEAD_BYTES = 8;
/** Stream numbers of the attach format: stdin (echoed as stdout), stdout, stderr; 3 carries an error of the engine. */
const STREAMS = ['stdout', 'stdout', 'stderr'] as const;

/** Starts taking a stream apart. */
export function makeDemux(framing: Framing): Demux {
  if (framing === 'raw') {
    return { push: (chunk) => [{ stream: 'stdout', bytes: chunk }], incomplete: () => undefined };
  }
  return new FramedDemux();
}

class FramedDemux implements Demux {
  readonly #head = new Uint8Array(HEAD_BYTES);
  #headFilled = 0;
  #stream: OutputPiece['stream'] = 'stdout';
  #left = 0;
  #offset = 0;

  push(chunk: Uint8Array): OutputPiece[] {
    const pieces: OutputPiece[] = [];
    let at = 0;
    while (at < chunk.byteLength) {
      at +=
        this.#left > 0
          ? this.#takePayload(chunk.subarray(at), pieces)
          : this.#takeHead(chunk.subarray(at), pieces);
    }
    return pieces;
  }

  incomplete(): string | undefined {
    if (this.#left > 0)
      return `incomplete stream: ${this.#left} bytes of a ${this.#stream} frame are missing at its end`;
    if (this.#headFilled > 0) {
      return `incomplete stream: it ends inside a frame head, after ${this.#headFilled} of ${HEAD_BYTES} bytes`;
    }
    return undefined;
  }

  #takePayload(rest: Uint8Array, pieces: OutputPiece[]): number {
    const bytes = rest.subarray(0, this.#left);
    pieces.push({ stream: this.#stream, bytes });
    this.#left -= bytes.byteLength;
    this.#offset += bytes.byteLength;
    return bytes.byteLength;
  }

  #takeHead(rest: Uint8Array, pieces: readonly OutputPiece[]): number {
    const part = rest.subarray(0, HEAD_BYTES - this.#headFilled);
    this.#head.set(part, this.#headFilled);
    this.#headFilled += part.byteLength;
    if (this.#headFilled === HEAD_BYTES) this.#openFrame(pieces);
    return part.byteLength;
  }

  #openFrame(pieces: readonly OutputPiece[]): void {
    const type = this.#head[0] ?? 0;
    const stream = STREAMS[type];
    if (stream === undefined) {
      const what =
        type === 3 ? 'the engine reports an error in the stream' : `a frame of unknown type ${type}`;
      throw new FramingError(`${what}, at byte ${this.#offset}`, pieces);
    }
    this.#stream = stream;
    this.#left = new DataView(this.#head.buffer).getUint32(4);
    this.#headFilled = 0;
    this.#offset += HEAD_BYTES;
  }
}
