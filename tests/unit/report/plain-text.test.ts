import { describe, expect, it } from 'vitest';
import { formatMany } from '../../../src/report/format.ts';
import { firstLine, plainLine, plainText } from '../../../src/report/plain-text.ts';

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

describe('a single character between letters', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => unit);
  /** XML 1.0, section 2.2, less the controls that terminals obey; escapes begin sequences and are looked at elsewhere. */
  const isLegal = (unit: number) =>
    unit === 0x09 ||
    unit === 0x0a ||
    (unit >= 0x20 && unit < 0x7f) ||
    (unit >= 0xa0 && unit < 0xd800) ||
    (unit >= 0xe000 && unit <= 0xfffd);
  const sequences = new Set([0x0d, 0x1b, 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);

  it('stays if and only if it is legal and harmless', () => {
    const wrong = units
      .filter((unit) => !sequences.has(unit))
      .filter((unit) => {
        const text = `a${String.fromCharCode(unit)}b`;
        return plainText(text) !== (isLegal(unit) ? text : 'a\ufffdb');
      });
    expect(wrong).toEqual([]);
  });

  it('becomes a blank in a line when it is white space of another kind', () => {
    const others = units.filter(
      (unit) => isLegal(unit) && unit !== 0x0a && /\s/.test(String.fromCharCode(unit)),
    );
    expect(others.length).toBeGreaterThan(15);
    for (const unit of others) expect(plainLine(`a${String.fromCharCode(unit)}b`)).toBe('a b');
    expect(plainLine(' a')).toBe('a');
    expect(plainLine('a ')).toBe('a');
    expect(plainLine('a  b')).toBe('a b');
    expect(plainLine('')).toBe('');
  });
});
