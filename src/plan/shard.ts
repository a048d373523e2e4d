import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import type { Trial } from '../model/trial.ts';
import { pairs } from './pairs.ts';

/** Part `index` of `count` of a plan; the first part is 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `i/n`, 1 <= i <= n <= 10000. */
export function parseShard(text: string): Result<Shard, Problem> {
  const [, index, count] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.count <= 10_000 && shard.index <= shard.count) return ok(shard);
  return err({
    severity: 'error',
    message: `"${text}" is not a shard`,
    repair: 'write i/n with 1 <= i <= n, such as 2/4 for the second of four parts',
  });
}

/**
 * The trials of one part, in plan order. Whole pairs are dealt out in turn: parts are disjoint, together they are the plan,
 * and their numbers of pairs differ by one at most. Parts made from the same plan on different machines fit together.
 */
export function shardOf(trials: readonly Trial[], shard: Shard): Trial[] {
  return pairs(trials)
    .filter((_, place) => place % shard.count === shard.index - 1)
    .flat();
}
