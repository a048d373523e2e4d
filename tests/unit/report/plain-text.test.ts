import { describe, expect, it } from 'vitest';
import { formatMany } from '../../../src/report/format.ts';
import { firstLine, plainLine } from '../../../src/report/plain-text.ts';

describe('text of several lines', () => {
  it('is told apart by semicolons on one line', () => {
    expect(plainLine('the image of leak holds Skills\n  /a/SKILL.md\n\nRemove them')).toBe(
      'the image of leak holds Skills; /a/SKILL.md; Remove them',
    );
  });

  it('gets no second mark after a line that ends in one', () => {
    expect(plainLine('Tried:\n  a\nNo more.\nb\n')).toBe('Tried: a; No more. b');
  });

  it('is cut to the first line that says something', () => {
    expect(firstLine('\n \u001b[31mred\u001b[0m  face\nrest', 80)).toBe('red face');
    expect(firstLine('abcdefghij', 8)).toBe('abcde...');
    expect(firstLine('', 8)).toBe('');
  });
});

describe('a number of things', () => {
  it('has its word in the singular for one alone', () => {
    expect([0, 1, 2, 9396].map((count) => formatMany(count, 'trial'))).toEqual([
      '0 trials',
      '1 trial',
      '2 trials',
      '9,396 trials',
    ]);
  });
});
