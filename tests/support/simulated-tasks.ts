import { type Random, seededRandom } from '../../src/base/random.ts';
import { type TaskRates, taskSpread } from '../../src/measure/uncertainty/task-spread.ts';

/** True rates of one task drawn from a population of tasks. */
export type Population = (random: Random) => TaskRates;

/** Populations of tasks by what is hard about them. */
export const POPULATIONS = {
  /** Tasks of every difficulty; Skills take off a varying part of what is left. */
  even: (random) => {
    const baseline = random();
    return { baseline, treatment: baseline + (1 - baseline) * random() ** 3 };
  },
  /** As in the public results: most tasks are passed always or never, half are not helped, some are hurt. */
  divided: (random) => {
    const baseline = random() < 0.5 ? random() ** 4 : 1 - random() ** 6;
    const kind = random();
    if (kind < 0.5) return { baseline, treatment: baseline };
    return { baseline, treatment: kind < 0.57 ? baseline * random() : baseline + (1 - baseline) * random() };
  },
  /** Both arms alike: an A/A run. */
  alike: (random) => {
    const baseline = random();
    return { baseline, treatment: baseline };
  },
  /** Hardly anything is passed. */
  nearZero: () => ({ baseline: 0.02, treatment: 0.05 }),
  /** Nearly everything is passed, without Skills too. */
  nearOne: () => ({ baseline: 0.9, treatment: 0.97 }),
  /** From next to nothing to next to everything. */
  fromZeroToOne: (random) => ({ baseline: 0.1 * random(), treatment: 1 - 0.1 * random() }),
} as const satisfies Record<string, Population>;

/** True means of a population, by so many draws that they are right to about four digits. */
export function truth(population: Population): TaskRates {
  const random = seededRandom(99);
  const draws = 200_000;
  let [baseline, treatment] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const rates = population(random);
    baseline += rates.baseline;
    treatment += rates.treatment;
  }
  return { baseline: baseline / draws, treatment: treatment / draws };
}

/** Rates of tasks as so many trials per task and arm show them. */
export function experiment(
  population: Population,
  size: { readonly tasks: number; readonly trials: number },
  random: Random,
): TaskRates[] {
  const passes = (rate: number) => {
    let passed = 0;
    for (let trial = 0; trial < size.trials; trial++) passed += random() < rate ? 1 : 0;
    return passed / size.trials;
  };
  return Array.from({ length: size.tasks }, () => {
    const { baseline, treatment } = population(random);
    return { baseline: passes(baseline), treatment: passes(treatment) };
  });
}

/** The spread of such an experiment. */
export function spreadOf(rates: readonly TaskRates[], trials: number) {
  const spread = taskSpread(rates, { baseline: trials, treatment: trials });
  if (spread === null) throw new Error('under two tasks');
  return spread;
}
