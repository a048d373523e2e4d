import { type Random, seededRandom, shuffled } from '../base/random.ts';
import type { Trial } from '../model/trial.ts';
import { type Pair, pairs } from './pairs.ts';

/**
 * Puts trials in the order in which they start. Arms of a pair stand together, so that drift of the world (load, provider,
 * time of day) meets both; pairs are shuffled. Which arm goes first is counterbalanced, since the second arm of a pair may
 * find warm caches: within a block (the pairs of one task and configuration) every arm is first equally often, and what is
 * left over from odd blocks is dealt out in turn, so that over a configuration and over the run counts differ by one at most.
 * Depends on the set of trials and the seed alone.
 */
export function order(trials: readonly Trial[], seed: number): Trial[] {
  const random = seededRandom(seed);
  const sorted = pairs([...trials].sort((a, b) => compare(a.id, b.id)));
  return shuffled(counterbalanced(sorted, random), random).flat();
}

function counterbalanced(sorted: readonly Pair[], random: Random): Trial[][] {
  const arms = Math.max(1, ...sorted.map((pair) => pair.length));
  const perConfiguration = Map.groupBy(sorted, ([first]) => first.configuration);
  let turn = Math.floor(random() * arms);
  const turned: Trial[][] = [];
  for (const [, ofConfiguration] of [...perConfiguration].sort(([a], [b]) => compare(a, b))) {
    const blocks = [...Map.groupBy(ofConfiguration, ([first]) => first.task).values()];
    for (const block of shuffled(blocks, random)) {
      const even = block.length - (block.length % arms);
      const firsts = block.map((_, place) => (place < even ? place % arms : turn++ % arms));
      const dealt = shuffled(firsts, random);
      for (const [place, pair] of block.entries()) turned.push(rotated(pair, dealt[place] ?? 0));
    }
  }
  return turned;
}

/** Starts at another arm and keeps the cycle, so that with three arms each also stands in each place equally often. */
function rotated(pair: Pair, by: number): Trial[] {
  const start = by % pair.length;
  return [...pair.slice(start), ...pair.slice(0, start)];
}

/** By code unit: the same on every machine, unlike localeCompare. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
