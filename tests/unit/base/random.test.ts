import { describe, expect, it } from 'vitest';
import { seededBlocks, seededRandom } from '../../../src/base/random.ts';

describe('seededBlocks', () => {
  it('gives the numbers of seededRandom as integers, whatever the seed and the size of the blocks', () => {
    for (const seed of [0, 1, 0x7fffffff, 0x80000000, 0xffffffff]) {
      const random = seededRandom(seed);
      const expected = Array.from({ length: 3000 }, () => random() * 2 ** 32);
      const fill = seededBlocks(seed);
      const found = [1, 999, 2000].flatMap((length) => {
        const block = new Uint32Array(length);
        fill(block);
        return [...block];
      });
      expect(found).toEqual(expected);
    }
  });
});
