import { seedFrom } from '../../base/random.ts';
import type { ConfigurationFigures, TaskFigures } from '../../model/measurement.ts';
import type { Interval } from '../../model/uncertainty.ts';
import type { TaskArms } from '../pairing.ts';
import { mean } from '../pass-rate.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { detectableGain } from './detectable-gain.ts';
import { gainInterval, normalizedGainInterval } from './gain-interval.ts';
import { rateInterval } from './rate-interval.ts';
import { signFlipTest } from './sign-flip.ts';
import { armSpread, type TaskRates, type TaskSpread, taskSpread } from './task-spread.ts';
import { trialNoise } from './trial-noise.ts';

/** A slice with fewer tasks is descriptive: no test, and no interval from one trial per task and arm. */
export const FEWEST_TASKS = 8;

/** How sure the figures of one configuration are. */
export type ConfigurationUncertainty = Pick<
  ConfigurationFigures,
  'gainInterval' | 'gainBootstrap' | 'normalizedGainInterval' | 'signFlip' | 'noise' | 'detectableGain'
>;

/** Tasks by id, their results in the same order, and where chance comes from. */
export interface UncertaintyInput {
  readonly tasks: readonly TaskFigures[];
  readonly arms: readonly TaskArms[];
  readonly seed: string;
}

/** All that the gains of paired tasks tell of what other tasks, and other trials, would have shown. */
export function configurationUncertainty({ tasks, arms, seed }: UncertaintyInput): ConfigurationUncertainty {
  const paired = tasks.filter(({ gain }) => gain !== null);
  const gains = paired.flatMap(({ gain }) => gain ?? []);
  const spread = mayHaveInterval(paired) ? spreadOf(paired) : null;
  const names = new Set(paired.map(({ task }) => task));
  return {
    gainInterval: spread === null ? null : gainInterval(spread),
    gainBootstrap: isRepeated(paired) ? bootstrapInterval(gains, seedFrom(seed)) : null,
    normalizedGainInterval: spread === null ? null : normalizedGainInterval(spread),
    signFlip: gains.length < FEWEST_TASKS ? null : signFlipTest(gains, seedFrom(`${seed}/signs`)),
    noise:
      spread === null
        ? null
        : trialNoise(
            arms.filter(({ task }) => names.has(task)),
            spread.gainVariance,
          ),
    detectableGain: spread === null ? null : detectableGain(paired.length, spread.gainVariance),
  };
}

/** 95 % interval of one arm's rate over the tasks that the rate is of. */
export function armInterval(tasks: readonly TaskFigures[], arm: 'baseline' | 'treatment'): Interval | null {
  const scored = tasks.filter((task) => task[arm] !== null);
  if (!mayHaveInterval(scored)) return null;
  const rates = scored.flatMap((task) => task[arm] ?? []);
  return rateInterval(armSpread(rates, trialsPerTask(scored, arm)), scored.length);
}

/** From so few tasks that single trials say nothing of their rates, no interval. */
function mayHaveInterval(tasks: readonly TaskFigures[]): boolean {
  return tasks.length >= 2 && (tasks.length >= FEWEST_TASKS || isRepeated(tasks));
}

function isRepeated(tasks: readonly TaskFigures[]): boolean {
  return tasks.some(({ counts }) => Math.max(counts.baseline.scored, counts.treatment.scored) > 1);
}

function spreadOf(paired: readonly TaskFigures[]): TaskSpread | null {
  const rates = paired.flatMap(({ baseline, treatment }): TaskRates[] =>
    baseline === null || treatment === null ? [] : [{ baseline, treatment }],
  );
  return taskSpread(rates, {
    baseline: trialsPerTask(paired, 'baseline'),
    treatment: trialsPerTask(paired, 'treatment'),
  });
}

function trialsPerTask(tasks: readonly TaskFigures[], arm: 'baseline' | 'treatment'): number {
  return mean(tasks.map(({ counts }) => counts[arm].scored)) ?? 0;
}
