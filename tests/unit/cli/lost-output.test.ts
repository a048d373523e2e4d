import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { keepGoingWithoutReader } from '../../../src/cli/lost-output.ts';

/** What is told of streams that fail in turn, each with one of these codes. */
function told(...codes: readonly string[]): string[] {
  const messages: string[] = [];
  const streams = codes.map(() => new PassThrough());
  keepGoingWithoutReader(streams, (error) => messages.push(error.message));
  for (const [at, stream] of streams.entries())
    stream.emit('error', Object.assign(new Error(codes[at]), { code: codes[at] }));
  return messages;
}

test('a reader that closes early neither ends the command nor is told', () => {
  expect(told('EPIPE', 'EPIPE')).toEqual([]);
});

test('output that the disk refuses is told, once', () => {
  expect(told('ENOSPC', 'ENOSPC')).toEqual(['ENOSPC']);
  expect(told('EPIPE', 'EIO')).toEqual(['EIO']);
});
