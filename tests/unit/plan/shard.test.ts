import { expect, test } from 'vitest';
import { parseShard, shardOf } from '../../../src/plan/shard.ts';
import { trialsOf } from '../../support/record-values.ts';

test.each(['1/1', '2/4', '10000/10000'])('"%s" is a shard', (text) => {
  const [index, count] = text.split('/').map(Number);
  expect(parseShard(text)).toEqual({ ok: true, value: { index, count } });
});

test.each(['', '0/4', '5/4', '1/0', '1', '1/2/3', '-1/2', '1.5/2', '01/2', 'a/b', ' 1/2', '1/10001'])(
  '"%s" is refused with the form to write',
  (text) => {
    expect(parseShard(text)).toMatchObject({ ok: false, error: { repair: expect.stringContaining('i/n') } });
  },
);

test('seven pairs in three parts are three, two and two whole pairs', () => {
  const trials = trialsOf(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  const parts = [1, 2, 3].map((index) => shardOf(trials, { index, count: 3 }));
  expect(parts.map((part) => part.length)).toEqual([6, 4, 4]);
  expect(parts[1]?.map((trial) => trial.task)).toEqual(['b', 'b', 'e', 'e']);
});
