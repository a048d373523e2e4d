import { seededRandom } from '../src/base/random.ts';
import { experiment, POPULATIONS, truth } from '../tests/support/simulated-tasks.ts';
import type { Figure } from './support/figure.ts';
import { INTERVAL_KINDS } from './support/interval-kinds.ts';

const EXPERIMENTS = 500;
/** The means of a population are themselves drawn. */
const DRAWN = 2e-4;

/** Coverage of the kinds of 95 % intervals of a gain that were looked at, over simulated experiments: what docs/decisions/0018 rests on. */
export async function intervals(): Promise<readonly Figure[]> {
  const sizes = [10, 87].flatMap((tasks) => [1, 3].map((trials) => ({ tasks, trials })));
  return sizes.flatMap((size) =>
    Object.keys(POPULATIONS).flatMap((name) => coverages(name as keyof typeof POPULATIONS, size)),
  );
}

function coverages(
  name: keyof typeof POPULATIONS,
  { tasks, trials }: { readonly tasks: number; readonly trials: number },
): Figure[] {
  const population = POPULATIONS[name];
  const { baseline, treatment } = truth(population);
  const gain = treatment - baseline;
  return Object.entries(INTERVAL_KINDS).map(([kind, intervalOf]) => {
    const random = seededRandom(7);
    let hits = 0;
    for (let run = 0; run < EXPERIMENTS; run++) {
      const rates = experiment(population, { tasks, trials }, random);
      const { low, high } = intervalOf(rates, trials, seededRandom(run));
      if (low <= gain + DRAWN && gain - DRAWN <= high) hits++;
    }
    const figure = (100 * hits) / EXPERIMENTS;
    return { name: `${tasks} tasks x ${trials}, ${name}: ${kind}`, figure, unit: '%' };
  });
}
