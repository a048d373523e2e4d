import type { Bounded, ConfigurationFigures } from '../model/measurement.ts';
import { armRate } from './arm-results.ts';
import { gain, normalizedGain } from './gain.ts';
import type { TaskArms } from './pairing.ts';
import { passRate, type UnscoredAs } from './pass-rate.ts';

/** Picks one arm of a task. */
export type Arm = 'baseline' | 'treatment';

/** Pass rate of one arm: the value over `paired` tasks' scored trials, the bounds over every trial of `framed` tasks. */
export function boundedRate(arm: Arm, paired: readonly TaskArms[], framed: readonly TaskArms[]): Bounded {
  return {
    value: macroRate(paired, arm, 'absent'),
    unscoredAsFailed: macroRate(framed, arm, 'failed'),
    unscoredAsPassed: macroRate(framed, arm, 'passed'),
  };
}

/** Applies a figure of two rates to value and bounds alike: in each, the unscored of both arms count the same way. */
function bounded(figure: typeof gain, baseline: Bounded, treatment: Bounded): Bounded {
  return {
    value: figure(baseline.value, treatment.value),
    unscoredAsFailed: figure(baseline.unscoredAsFailed, treatment.unscoredAsFailed),
    unscoredAsPassed: figure(baseline.unscoredAsPassed, treatment.unscoredAsPassed),
  };
}

/** Gain with its bounds. */
export function boundedGain(baseline: Bounded, treatment: Bounded): Bounded {
  return bounded(gain, baseline, treatment);
}

/** Normalized gain of the means, with its bounds. */
export function boundedNormalizedGain(baseline: Bounded, treatment: Bounded): Bounded {
  return bounded(normalizedGain, baseline, treatment);
}

/** The gain when everything unscored falls against the Skills, and when it all falls for them. */
export function gainRange(baseline: Bounded, treatment: Bounded): ConfigurationFigures['gainRange'] {
  const low = gain(baseline.unscoredAsPassed, treatment.unscoredAsFailed);
  const high = gain(baseline.unscoredAsFailed, treatment.unscoredAsPassed);
  return low === null || high === null ? null : { low, high };
}

function macroRate(tasks: readonly TaskArms[], arm: Arm, unscoredAs: UnscoredAs): number | null {
  return passRate(tasks.flatMap((task) => armRate(task[arm], unscoredAs) ?? []));
}
