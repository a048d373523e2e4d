import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { outputStream } from '../../../src/cli/output-stream.ts';

const seen = (what: { isTTY?: boolean; columns?: number }, term = 'xterm') => {
  const { isTty, columns } = outputStream(Object.assign(new PassThrough(), what), term);
  return [isTty, columns];
};

test('a terminal is one that says so, is not dumb and has columns', () => {
  expect(seen({ isTTY: true, columns: 80 })).toEqual([true, 80]);
  expect(seen({ isTTY: true, columns: 80 }, 'dumb')).toEqual([false, 80]);
  expect(seen({})).toEqual([false, 120]);
});

test('a terminal of no columns is none, and lines have a usual width', () => {
  expect(seen({ isTTY: true, columns: 0 })).toEqual([false, 120]);
});
