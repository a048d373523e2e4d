import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { detectableGain } from '../../src/measure/uncertainty/detectable-gain.ts';
import { gainInterval, normalizedGainInterval } from '../../src/measure/uncertainty/gain-interval.ts';
import { rateInterval } from '../../src/measure/uncertainty/rate-interval.ts';
import { experiment, POPULATIONS, type Population, spreadOf, truth } from '../support/simulated-tasks.ts';

/** Of each population and size; `SKILLPAIR_EXPERIMENTS` asks for more. The standard error of a coverage is then 0.34 %. */
const EXPERIMENTS = Number(process.env.SKILLPAIR_EXPERIMENTS ?? 4000);
/** The means of a population are themselves drawn. */
const DRAWN = 2e-4;
/** Three standard errors of a coverage of 95 %. */
const CHANCE = 3 * Math.sqrt((0.95 * 0.05) / EXPERIMENTS);

interface Size {
  readonly tasks: number;
  readonly trials: number;
}

const NAMES = Object.keys(POPULATIONS) as (keyof typeof POPULATIONS)[];
const SIZES: readonly Size[] = [10, 20, 87].flatMap((tasks) => [1, 3].map((trials) => ({ tasks, trials })));

type Coverage = Readonly<Record<'gain' | 'normalized' | 'baseline' | 'treatment', number>>;
/** The tests ask twice for some. */
const known = new Map<string, Coverage>();

/** Share of experiments whose interval holds the true gain, normalized gain, and rates of both arms. */
function coverage(name: keyof typeof POPULATIONS, size: Size): Coverage {
  const key = `${name}/${size.tasks}/${size.trials}`;
  const found = known.get(key) ?? simulated(POPULATIONS[name], size);
  known.set(key, found);
  return found;
}

function simulated(population: Population, { tasks, trials }: Size): Coverage {
  const random = seededRandom(7);
  const { baseline, treatment } = truth(population);
  const gain = treatment - baseline;
  const normalized = gain / (1 - baseline);
  const hits = { gain: 0, normalized: 0, baseline: 0, treatment: 0 };
  for (let run = 0; run < EXPERIMENTS; run++) {
    const spread = spreadOf(experiment(population, { tasks, trials }, random), trials);
    hits.gain += holds(gainInterval(spread), gain);
    hits.normalized += holds(normalizedGainInterval(spread), normalized);
    hits.baseline += holds(rateInterval(spread.baseline, tasks), baseline);
    hits.treatment += holds(rateInterval(spread.treatment, tasks), treatment);
  }
  return {
    gain: hits.gain / EXPERIMENTS,
    normalized: hits.normalized / EXPERIMENTS,
    baseline: hits.baseline / EXPERIMENTS,
    treatment: hits.treatment / EXPERIMENTS,
  };
}

/** 1 where it does; no interval leaves nothing out. */
function holds(interval: { low: number; high: number } | null, value: number): 0 | 1 {
  if (interval === null) return 1;
  return interval.low <= value + DRAWN && value - DRAWN <= interval.high ? 1 : 0;
}

describe('95 % intervals over thousands of simulated experiments', () => {
  it.each(SIZES)('hold the true gain in 95 +- 1 %% with $tasks tasks and $trials trials', (size) => {
    for (const name of ['even', 'divided', 'alike'] as const) {
      const { gain } = coverage(name, size);
      expect(gain, name).toBeGreaterThan(0.94 - CHANCE);
      expect(gain, name).toBeLessThan(0.96 + CHANCE);
    }
  });

  // What few trials can come to near 0 and 1 is too coarse for 95 %: then an interval that is never wrong too often is wrong seldom.
  it.each(SIZES)('hold it in 94 %% or more near 0 and 1 with $tasks tasks and $trials trials', (size) => {
    for (const name of ['nearZero', 'nearOne', 'fromZeroToOne'] as const)
      expect(coverage(name, size).gain, name).toBeGreaterThan(0.94 - CHANCE);
  });

  it.each(SIZES)(
    'hold rates and normalized gain in 94 %% or more with $tasks tasks and $trials trials',
    (size) => {
      for (const name of NAMES) {
        const { normalized, baseline, treatment } = coverage(name, size);
        expect(normalized, `${name}: normalized gain`).toBeGreaterThan(0.94 - CHANCE);
        // With one trial of 20 tasks at a rate of 0.02 a single pass more or less moves the coverage by a percent.
        expect(baseline, `${name}: without`).toBeGreaterThan(0.93);
        expect(treatment, `${name}: with`).toBeGreaterThan(0.93);
      }
    },
  );

  it('come near 95 %% from above as tasks get many, near 0 and 1 too', () => {
    for (const name of ['nearZero', 'nearOne', 'fromZeroToOne'] as const)
      expect(coverage(name, { tasks: 400, trials: 3 }).gain, name).toBeLessThan(0.965 + CHANCE);
  });
});

describe('the detectable gain', () => {
  it.each([10, 40])('of %i tasks is found in about 80 of 100 experiments', (tasks) => {
    const random = seededRandom(11);
    // Gains of all sizes round a true one: a uniform spread of 0.6 and three trials of luck.
    const size = { tasks, trials: 3 };
    const at = (gain: number): Population => {
      return (draw) => {
        const middle = 0.35 + gain / 2 + (draw() - 0.5) * 0.3;
        return { baseline: middle - gain / 2, treatment: middle + gain / 2 };
      };
    };
    const variances = Array.from(
      { length: 300 },
      () => spreadOf(experiment(at(0.2), size, random), 3).gainVariance,
    );
    const variance = variances.reduce((sum, one) => sum + one, 0) / variances.length;
    const gain = detectableGain(tasks, variance) ?? Number.NaN;
    let found = 0;
    for (let run = 0; run < 3000; run++)
      if (gainInterval(spreadOf(experiment(at(gain), size, random), 3)).low > 0) found++;
    expect(found / 3000).toBeGreaterThan(0.72);
    expect(found / 3000).toBeLessThan(0.88);
  });
});
