import type { Bounded, ConfigurationFigures } from '../model/measurement.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { gain, normalizedGain } from './gain.ts';
import type { TaskArms } from './pairing.ts';
import { passRate, taskRate, type UnscoredAs } from './pass-rate.ts';
import { outcomesOf } from './task-figures.ts';

/** Picks one arm of a task. */
export type Arm = 'noSkills' | 'withSkills';

/** Pass rate of one arm: the value over `paired` tasks' scored trials, the bounds over every trial of `framed` tasks. */
export function boundedRate(arm: Arm, paired: readonly TaskArms[], framed: readonly TaskArms[]): Bounded {
  return {
    value: armRate(paired, arm, 'absent'),
    unscoredAsFailed: armRate(framed, arm, 'failed'),
    unscoredAsPassed: armRate(framed, arm, 'passed'),
  };
}

/** Applies a figure of two rates to value and bounds alike: in each, the unscored of both arms count the same way. */
function bounded(figure: typeof gain, noSkills: Bounded, withSkills: Bounded): Bounded {
  return {
    value: figure(noSkills.value, withSkills.value),
    unscoredAsFailed: figure(noSkills.unscoredAsFailed, withSkills.unscoredAsFailed),
    unscoredAsPassed: figure(noSkills.unscoredAsPassed, withSkills.unscoredAsPassed),
  };
}

/** Gain with its bounds. */
export function boundedGain(noSkills: Bounded, withSkills: Bounded): Bounded {
  return bounded(gain, noSkills, withSkills);
}

/** Normalized gain of the means, with its bounds. */
export function boundedNormalizedGain(noSkills: Bounded, withSkills: Bounded): Bounded {
  return bounded(normalizedGain, noSkills, withSkills);
}

/** The gain when everything unscored falls against the Skills, and when it all falls for them. */
export function gainRange(noSkills: Bounded, withSkills: Bounded): ConfigurationFigures['gainRange'] {
  const low = gain(noSkills.unscoredAsPassed, withSkills.unscoredAsFailed);
  const high = gain(noSkills.unscoredAsFailed, withSkills.unscoredAsPassed);
  return low === null || high === null ? null : { low, high };
}

function armRate(tasks: readonly TaskArms[], arm: Arm, unscoredAs: UnscoredAs): number | null {
  return passRate(tasks.flatMap((task) => taskRate(outcomesOf(trialsOf(task, arm)), unscoredAs) ?? []));
}

function trialsOf(task: TaskArms, arm: Arm): readonly TrialRecord[] {
  return task[arm];
}
