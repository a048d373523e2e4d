import { seededBlocks } from '../../base/random.ts';
import type { SignFlipTest } from '../../model/uncertainty.ts';

/** Up to so many tasks with a gain other than 0, every one of the 2^n ways is counted. */
const MOST_EXACT = 16;
const DRAWS = 10_000;
/** Sums of gains that differ by less are equal but for rounding. */
const ROUNDING = 1e-9;

/**
 * Sign-flip test of no gain: were both arms alike, each task's gain could as well have come out with the other sign. Two-sided share of the
 * sign patterns whose mean gain is at least as far from 0 as the one found; all of them for few tasks, else 10,000 drawn and the one found.
 */
export function signFlipTest(gains: readonly number[], seed: number): SignFlipTest {
  const moved = Float64Array.from(gains.filter((gain) => Math.abs(gain) > ROUNDING));
  const found = Math.abs(moved.reduce((sum, gain) => sum + gain, 0)) - ROUNDING;
  if (moved.length <= MOST_EXACT)
    return { pValue: exactShare(moved, found), method: 'exact', patterns: 2 ** moved.length };
  return { pValue: (drawnHits(moved, found, seed) + 1) / (DRAWS + 1), method: 'drawn', patterns: DRAWS };
}

/** By Gray's code: from pattern to pattern one sign changes. The half with the first sign kept mirrors the other. */
function exactShare(gains: Float64Array, found: number): number {
  if (gains.length === 0) return 1;
  const signs = new Int8Array(gains.length).fill(1);
  let sum = gains.reduce((total, gain) => total + gain, 0);
  const patterns = 2 ** (gains.length - 1);
  let hits = 0;
  for (let pattern = 1; ; pattern++) {
    if (Math.abs(sum) >= found) hits++;
    if (pattern === patterns) return hits / patterns;
    const flipped = 31 - Math.clz32(pattern & -pattern);
    signs[flipped] = -(signs[flipped] as number);
    sum += 2 * (signs[flipped] as number) * (gains[flipped] as number);
  }
}

/** A drawn byte gives the signs of eight tasks, whose sum of gains is looked up. */
function drawnHits(gains: Float64Array, found: number, seed: number): number {
  const sums = sumsOfEight(gains);
  const block = new Uint32Array(Math.ceil(gains.length / 32));
  const bytes = Math.ceil(gains.length / 8);
  const draw = seededBlocks(seed);
  let hits = 0;
  for (let round = 0; round < DRAWS; round++) {
    draw(block);
    let sum = 0;
    for (let byte = 0; byte < bytes; byte++) {
      const signs = ((block[byte >>> 2] as number) >>> ((byte & 3) << 3)) & 0xff;
      sum += sums[(byte << 8) | signs] as number;
    }
    if (Math.abs(sum) >= found) hits++;
  }
  return hits;
}

/** For each eight tasks in their order, the sum of their gains under each of the 256 patterns of signs: a bit that is set turns one round. */
function sumsOfEight(gains: Float64Array): Float64Array {
  const sums = new Float64Array(Math.ceil(gains.length / 8) * 256);
  for (let task = 0; task < gains.length; task++) {
    const gain = gains[task] as number;
    const start = (task >>> 3) << 8;
    for (let signs = 0; signs < 256; signs++)
      sums[start + signs] = (sums[start + signs] as number) + ((signs >>> (task & 7)) & 1 ? -gain : gain);
  }
  return sums;
}
