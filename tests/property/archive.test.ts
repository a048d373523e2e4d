import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTar, readTar, type TarEntry } from '../../src/engine/archive.ts';
import { makeDemux } from '../../src/engine/docker/demux.ts';

const part = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
  .filter((name) => !/[/\0]/.test(name) && name !== '.' && name !== '..' && name.isWellFormed());
const path = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
const owner = fc.integer({ min: 0, max: 0o777_777 });
const mode = fc.integer({ min: 0, max: 0o7777 });
const entry: fc.Arbitrary<TarEntry> = fc.oneof(
  fc.record({
    path,
    kind: fc.constant('file' as const),
    mode,
    uid: owner,
    gid: owner,
    content: fc.uint8Array({ maxLength: 3_000 }),
  }),
  fc.record({ path, kind: fc.constant('folder' as const), mode, uid: owner, gid: owner }),
  fc.record({ path, kind: fc.constant('link' as const), mode, uid: owner, gid: owner, target: path }),
);

describe('a tar', () => {
  it('gives back every entry as it was packed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (entries) => {
        const read: unknown[] = [];
        for await (const { path, kind, mode, uid, gid, target, content } of readTar(packTar(entries))) {
          const bytes = await buffer(content);
          read.push({ path, kind, mode, uid, gid, target, content: bytes.toString('hex') });
        }
        expect(read).toEqual(
          entries.map(({ path, kind, mode, uid, gid, target, content }) => ({
            path,
            kind,
            mode,
            uid,
            gid,
            target,
            content: Buffer.from((content as Uint8Array | undefined) ?? []).toString('hex'),
          })),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('a framed stream', () => {
  const frames = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 300 })), {
    maxLength: 10,
  });

  it('comes apart alike however it is cut', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat(200), { minLength: 1, maxLength: 50 }), (sent, steps) => {
        const stream = Buffer.concat(
          sent.flatMap(([type, payload]) => {
            const head = Buffer.alloc(8);
            head[0] = type;
            head.writeUInt32BE(payload.byteLength, 4);
            return [head, payload];
          }),
        );
        const demux = makeDemux('framed');
        const got = { stdout: [] as number[], stderr: [] as number[] };
        for (let at = 0, turn = 0; at < stream.byteLength; turn++) {
          const end = at + Math.max(1, steps[turn % steps.length] ?? 1);
          for (const { stream: name, bytes } of demux.push(stream.subarray(at, end)))
            got[name].push(...bytes);
          at = end;
        }
        const wanted = (type: number) =>
          sent.filter(([kind]) => kind === type).flatMap(([, bytes]) => [...bytes]);
        expect(got).toEqual({ stdout: wanted(1), stderr: wanted(2) });
        expect(demux.incomplete()).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});
