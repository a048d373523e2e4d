import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type OutputCount, pumpOutput } from '../../../../src/engine/docker/pump-output.ts';

function frame(type: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head[0] = type;
  head.writeUInt32BE(payload.byteLength, 4);
  return Buffer.concat([head, payload]);
}

function memorySinks() {
  const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const sink = (name: 'stdout' | 'stderr') => ({
    write: async (bytes: Uint8Array) => void kept[name].push(Buffer.from(bytes)),
  });
  return { kept, sinks: { stdout: sink('stdout'), stderr: sink('stderr'), framing: 'framed' as const } };
}

const zero = (): OutputCount => ({ stdout: 0, stderr: 0 });

describe('moving output to disk', () => {
  it('counts what it writes and keeps bytes that are no text', async () => {
    const { kept, sinks } = memorySinks();
    const count = zero();
    await pumpOutput(
      Readable.from([frame(1, Uint8Array.of(0xff)), frame(2, Buffer.from('no newline'))]),
      sinks,
      count,
    );
    expect(count).toEqual({ stdout: 1, stderr: 10 });
    expect(Buffer.concat(kept.stdout)).toEqual(Buffer.from([0xff]));
    expect(Buffer.concat(kept.stderr).toString()).toBe('no newline');
  });

  it('takes 64 MiB no faster than they are written, whatever the pause', async () => {
    const part = 64 * 1024;
    const parts = 1024;
    let produced = 0;
    const source = new Readable({
      highWaterMark: 64 * 1024,
      read() {
        this.push(produced++ < parts ? frame(1, Buffer.alloc(part)) : null);
      },
    });
    const paused = Promise.withResolvers<void>();
    const count = zero();
    const sink = { write: () => paused.promise };
    const pumped = pumpOutput(source, { stdout: sink, stderr: sink, framing: 'framed' }, count);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(produced).toBeLessThanOrEqual(4);
    expect(count.stdout).toBe(0);
    paused.resolve();
    await pumped;
    expect(count).toEqual({ stdout: part * parts, stderr: 0 });
  });

  it('tells that a stream ended in the middle of a frame', async () => {
    const { sinks } = memorySinks();
    const count = zero();
    await pumpOutput(Readable.from([frame(1, Buffer.from('whole')).subarray(0, -2)]), sinks, count);
    expect(count.stdout).toBe(3);
    expect(count.fault).toMatch(/incomplete stream: 2 bytes of a stdout frame are missing/);
  });

  it('keeps what came before the connection broke, and tells', async () => {
    const { kept, sinks } = memorySinks();
    const count = zero();
    const source = Readable.from(
      (function* () {
        yield frame(1, Buffer.from('kept'));
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      })(),
    );
    await pumpOutput(source, sinks, count);
    expect(Buffer.concat(kept.stdout).toString()).toBe('kept');
    expect(count.fault).toBe('the stream broke off: read ECONNRESET');
  });

  it('stops at a framing fault and keeps what stood before it', async () => {
    const { kept, sinks } = memorySinks();
    const count = zero();
    const source = Readable.from([
      Buffer.concat([frame(2, Buffer.from('kept')), frame(9, Buffer.from('x'))]),
    ]);
    await pumpOutput(source, sinks, count);
    expect(Buffer.concat(kept.stderr).toString()).toBe('kept');
    expect(count.fault).toBe('a frame of unknown type 9, at byte 12');
    expect(source.destroyed).toBe(true);
  });

  it('rejects when the disk does, and lets the stream go', async () => {
    const source = Readable.from([frame(1, Buffer.from('x'))]);
    const full = { write: () => Promise.reject(new Error('ENOSPC: no space left on device, write')) };
    await expect(
      pumpOutput(source, { stdout: full, stderr: full, framing: 'framed' }, zero()),
    ).rejects.toThrow('no space left');
    expect(source.destroyed).toBe(true);
  });
});
