import { describe, expect, it } from 'vitest';
import { stem, tellingWords } from '../../../../harnesses/literal/src/words.ts';

describe('telling words', () => {
  it.each([
    ['invoices', 'invoice'],
    ['studies', 'study'],
    ['matches', 'match'],
    ['decomposed', 'decompose'],
    ['planning', 'plan'],
    ['trends', 'trend'],
    ['series', 'series'],
    ['days', 'day'],
    ['processing', 'processes'],
  ])('are equal for %s and %s', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it.each([
    ['process', 'process'],
    ['bus', 'bus'],
    ['status', 'status'],
  ])('keep the s that belongs to %s', (word, stemmed) => {
    expect(stem(word)).toBe(stemmed);
  });

  it('leave out grammar, short words and what every task says', () => {
    expect([...tellingWords('Use the file and write a CSV of the trend, the TREND to it')]).toEqual([
      'csv',
      'trend',
    ]);
  });
});
