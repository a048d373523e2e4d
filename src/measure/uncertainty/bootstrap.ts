import { quantileSorted } from 'simple-statistics';
import { seededBlocks } from '../../base/random.ts';

/** Resamples drawn: from seed to seed the ends then move by about 1/25 of the gain's own standard error. */
const RESAMPLES = 4_000;

/**
 * 95 % percentile interval of the mean gain from a paired bootstrap: whole tasks are drawn with replacement, and
 * with a task both its arms, so that what makes a task hard stays in both. `null` under two tasks.
 * `taskGains` must come in a fixed order (by task id): the order decides what the seed draws.
 */
export function bootstrapInterval(
  taskGains: readonly number[],
  seed: number,
): { low: number; high: number } | null {
  const size = taskGains.length;
  if (size < 2) return null;
  const gains = Float64Array.from(taskGains);
  const means = new Float64Array(RESAMPLES);
  const draws = new Uint32Array(size);
  const drawAll = seededBlocks(seed);
  // Exact: a power of two scales, and 32 bits times the number of tasks fit into a double.
  const scale = size / 2 ** 32;
  for (let resample = 0; resample < RESAMPLES; resample++) {
    drawAll(draws);
    let total = 0;
    for (let draw = 0; draw < size; draw++)
      total += gains[Math.floor((draws[draw] as number) * scale)] as number;
    means[resample] = total / size;
  }
  means.sort();
  const sorted = Array.from(means);
  return { low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}
