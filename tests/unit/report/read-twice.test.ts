import { describe, expect, it } from 'vitest';
import { readTwice } from '../../../src/report/read-twice.ts';

function source() {
  let renders = 0;
  const read = readTwice(() => {
    renders++;
    return ['one \u{1f600}', 'two'];
  });
  return { read, renders: () => renders };
}

describe('readTwice', () => {
  it('makes the text once for two readings, and anew for a third', () => {
    const { read, renders } = source();
    expect([[...read()], [...read()]]).toEqual(Array(2).fill(['one \u{1f600}', 'two']));
    expect(renders()).toBe(1);
    expect([...read()]).toEqual(['one \u{1f600}', 'two']);
    expect(renders()).toBe(2);
  });

  it('gives the whole text after a reading that stopped early', () => {
    const { read } = source();
    for (const _first of read()) break;
    expect([...read()]).toEqual(['one \u{1f600}', 'two']);
  });
});
