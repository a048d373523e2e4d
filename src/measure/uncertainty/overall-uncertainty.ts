import { seedFrom } from '../../base/random.ts';
import type { ConfigurationFigures, TaskFigures } from '../../model/measurement.ts';
import type { OverallFigures } from '../../model/overall-figures.ts';
import type { Interval } from '../../model/uncertainty.ts';
import { byText } from '../pairing.ts';
import { mean } from '../pass-rate.ts';
import { FEWEST_TASKS } from './configuration-uncertainty.ts';
import { gainInterval } from './gain-interval.ts';
import { rateInterval } from './rate-interval.ts';
import { signFlipTest } from './sign-flip.ts';
import { studentQuantile } from './student-t.ts';
import { taskSpread } from './task-spread.ts';

/** How sure the averages over configurations are. */
export type OverallUncertainty = Pick<
  OverallFigures,
  'baselineInterval' | 'treatmentInterval' | 'gainInterval' | 'meanNormalizedGainInterval' | 'signFlip'
>;

const NONE: OverallUncertainty = {
  baselineInterval: null,
  treatmentInterval: null,
  gainInterval: null,
  meanNormalizedGainInterval: null,
  signFlip: null,
};

/**
 * Uncertainty of the averages over the configurations that are in them: other tasks could have been drawn, the same for all configurations.
 * A task stands for what it adds to the averages (its influence), whether all configurations have it or some.
 */
export function overallUncertainty(configurations: readonly ConfigurationFigures[]): OverallUncertainty {
  if (configurations.length === 0 || configurations.some((one) => one.gainInterval === null)) return NONE;
  const added = influences(configurations);
  const spread = taskSpread(added, {
    baseline: totalTrials(configurations, 'baseline') / added.length,
    treatment: totalTrials(configurations, 'treatment') / added.length,
  });
  if (spread === null) return NONE;
  const gains = added.map(({ baseline, treatment }) => treatment - baseline);
  const seed = seedFrom(configurations.map(({ configuration }) => configuration).join('/'));
  return {
    baselineInterval: rateInterval(spread.baseline, added.length),
    treatmentInterval: rateInterval(spread.treatment, added.length),
    gainInterval: gainInterval(spread),
    meanNormalizedGainInterval: normalizedInterval(added.map(({ normalized }) => normalized)),
    signFlip: added.length < FEWEST_TASKS ? null : signFlipTest(gains, seed),
  };
}

interface Influence {
  readonly baseline: number;
  readonly treatment: number;
  /** `NaN` where a configuration has no normalized gain. */
  readonly normalized: number;
}

/** For each task, by id, the averages as they would be if all tasks were like it. */
function influences(configurations: readonly ConfigurationFigures[]): Influence[] {
  const shares = configurations.map(shareOf);
  const tasks = [...new Set(shares.flatMap(({ tasks: found }) => [...found.keys()]))].sort(byText);
  const parts = shares.length;
  return tasks.map((task) => {
    const sum = { baseline: 0, treatment: 0, normalized: 0 };
    for (const { means, tasks: found, room, normalized } of shares) {
      const weight = tasks.length / found.size;
      const { baseline = means.baseline, treatment = means.treatment } = found.get(task) ?? {};
      const [without, withIt] = [
        weight * (baseline - means.baseline),
        weight * (treatment - means.treatment),
      ];
      sum.baseline += (means.baseline + without) / parts;
      sum.treatment += (means.treatment + withIt) / parts;
      sum.normalized += (normalized + (withIt - without + normalized * without) / room) / parts;
    }
    return sum;
  });
}

interface Share {
  readonly tasks: ReadonlyMap<string, { readonly baseline: number; readonly treatment: number }>;
  readonly means: { readonly baseline: number; readonly treatment: number };
  readonly room: number;
  readonly normalized: number;
}

function shareOf({ tasks }: ConfigurationFigures): Share {
  const paired = tasks.flatMap(({ task, baseline, treatment }) =>
    baseline === null || treatment === null ? [] : [[task, { baseline, treatment }] as const],
  );
  const means = {
    baseline: mean(paired.map(([, { baseline }]) => baseline)) ?? 0,
    treatment: mean(paired.map(([, { treatment }]) => treatment)) ?? 0,
  };
  const room = 1 - means.baseline;
  const normalized = (means.treatment - means.baseline) / room;
  return { tasks: new Map(paired), means, room, normalized };
}

/** On the scale of the logarithm of what is left over, on which a ratio is about even to both sides. */
function normalizedInterval(values: readonly number[]): Interval | null {
  const middle = mean(values);
  const left = 1 - (middle ?? Number.NaN);
  if (middle === null || !(left > 0)) return null;
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  const half = (studentQuantile(0.975, values.length - 1) * Math.sqrt(variance / values.length)) / left;
  return { low: 1 - left * Math.exp(half), high: 1 - left * Math.exp(-half) };
}

function totalTrials(configurations: readonly ConfigurationFigures[], arm: 'baseline' | 'treatment'): number {
  const scored = ({ tasks }: ConfigurationFigures) =>
    tasks.reduce((sum, { counts, gain }: TaskFigures) => sum + (gain === null ? 0 : counts[arm].scored), 0);
  return configurations.reduce((sum, one) => sum + scored(one), 0);
}
