import { pairKey, type Trial } from '../model/trial.ts';

/** Trials that differ only in condition, in the order they had. */
export type Pair = readonly [Trial, ...Trial[]];

/** Groups trials by pair; pairs stand in the order in which their first trial came. */
export function pairs(trials: readonly Trial[]): Pair[] {
  const groups = new Map<string, [Trial, ...Trial[]]>();
  for (const trial of trials) {
    const key = pairKey(trial);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [trial]);
    else group.push(trial);
  }
  return [...groups.values()];
}
