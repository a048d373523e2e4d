import { describe, expect, it } from 'vitest';
import { FramingError, makeDemux, type OutputPiece } from '../../../../src/engine/docker/demux.ts';

/** A stdout frame with two bytes of a three-byte character, a stderr frame, a stdout frame with the rest. */
const SAMPLE = Buffer.from('0100000000000002ed9502000000000000057761726e0a01000000000000049c206f6b', 'hex');

function frame(type: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head[0] = type;
  head.writeUInt32BE(payload.byteLength, 4);
  return Buffer.concat([head, payload]);
}

function joined(pieces: readonly OutputPiece[], stream: OutputPiece['stream']): string {
  return Buffer.concat(
    pieces.filter((piece) => piece.stream === stream).map(({ bytes }) => bytes),
  ).toString();
}

function demux(...chunks: readonly Uint8Array[]) {
  const demuxer = makeDemux('framed');
  const pieces = chunks.flatMap((chunk) => demuxer.push(chunk));
  return {
    stdout: joined(pieces, 'stdout'),
    stderr: joined(pieces, 'stderr'),
    incomplete: demuxer.incomplete(),
  };
}

const WHOLE = { stdout: '한 ok', stderr: 'warn\n', incomplete: undefined };

describe('a framed stream', () => {
  it('comes apart into its two streams when it arrives whole', () => {
    expect(demux(SAMPLE)).toEqual(WHOLE);
  });

  it('comes apart alike when it arrives byte by byte', () => {
    expect(demux(...[...SAMPLE].map((byte) => Uint8Array.of(byte)))).toEqual(WHOLE);
  });

  it('comes apart alike wherever it is cut', () => {
    for (let cut = 0; cut <= SAMPLE.byteLength; cut++) {
      expect(demux(SAMPLE.subarray(0, cut), SAMPLE.subarray(cut)), `cut at ${cut}`).toEqual(WHOLE);
    }
  });

  it('is incomplete without its last byte, and what came before is kept', () => {
    const { stdout, stderr, incomplete } = demux(SAMPLE.subarray(0, -1));
    expect({ stdout, stderr }).toEqual({ stdout: '한 o', stderr: 'warn\n' });
    expect(incomplete).toMatch(/^incomplete stream: 1 bytes of a stdout frame/);
  });

  it('is incomplete when it ends inside a head', () => {
    expect(demux(SAMPLE.subarray(0, 13)).incomplete).toMatch(/^incomplete stream: .* after 3 of 8 bytes/);
  });

  it('may hold frames without content', () => {
    expect(demux(frame(1, Buffer.alloc(0)), frame(2, Buffer.from('e')))).toEqual({
      stdout: '',
      stderr: 'e',
      incomplete: undefined,
    });
  });

  it('is refused at a frame of unknown type, with the offset, and what stood before it is kept', () => {
    const demuxer = makeDemux('framed');
    const bad = Buffer.concat([frame(1, Buffer.from('good')), frame(9, Buffer.from('bad'))]);
    let error: unknown;
    try {
      demuxer.push(bad);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(FramingError);
    expect((error as FramingError).message).toBe('a frame of unknown type 9, at byte 12');
    expect(joined((error as FramingError).pieces, 'stdout')).toBe('good');
  });

  it('hands on 8 MiB without a newline as it comes and keeps nothing back', () => {
    const demuxer = makeDemux('framed');
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const head = Buffer.alloc(8);
    head[0] = 1;
    head.writeUInt32BE(8 * 2 ** 20, 4);
    demuxer.push(head);
    let seen = 0;
    for (let index = 0; index < 128; index++) {
      const [piece] = demuxer.push(chunk);
      expect(piece?.bytes.buffer).toBe(chunk.buffer);
      seen += piece?.bytes.byteLength ?? 0;
    }
    expect(seen).toBe(8 * 2 ** 20);
    expect(demuxer.incomplete()).toBeUndefined();
  });

  it('keeps a byte that is no text', () => {
    const [piece] = makeDemux('framed').push(frame(1, Uint8Array.of(0xff)));
    expect([...(piece?.bytes ?? [])]).toEqual([0xff]);
  });
});

describe('a raw stream', () => {
  it('is never taken apart, even where it looks framed', () => {
    const demuxer = makeDemux('raw');
    const pieces = demuxer.push(SAMPLE);
    expect(pieces).toEqual([{ stream: 'stdout', bytes: SAMPLE }]);
    expect(demuxer.incomplete()).toBeUndefined();
  });
});
