import { median } from 'simple-statistics';
import type { Measurement } from '../../model/measurement.ts';
import type { AssumedNoise, DesignPower, PlannedPower } from '../../model/planned-power.ts';
import { detectableGain } from './detectable-gain.ts';

/** Medians over the 18 configurations of the public SkillsBench results (87 tasks, 3 trials); ranges 22 to 35 pp and 12 to 43 pp. */
const PUBLIC_NOISE: AssumedNoise = { trialSd: 0.3, gainSdByTask: 0.3 };
const PUBLIC_SOURCE = 'medians of the 18 configurations of the public SkillsBench results';
const TRIALS = [1, 2, 3, 5, 10];
const TASK_FACTORS = [0.5, 2, 4];

/** What a design of so many tasks, and trials per task and arm, could show; by what an earlier run saw where one is given. */
export function plannedPower(
  design: Pick<DesignPower, 'tasks' | 'trials'>,
  earlier?: { readonly measurement: Measurement; readonly name: string },
): PlannedPower {
  const seen = earlier === undefined ? undefined : noiseOf(earlier.measurement);
  const assumed = seen ?? PUBLIC_NOISE;
  const power = (tasks: number, trials: number): DesignPower => {
    const variance = assumed.gainSdByTask ** 2 + (2 * assumed.trialSd ** 2) / trials;
    return { tasks, trials, detectableGain: detectableGain(tasks, variance) };
  };
  const { tasks, trials } = design;
  return {
    assumed,
    source:
      earlier === undefined
        ? PUBLIC_SOURCE
        : seen === undefined
          ? `${PUBLIC_SOURCE}, since ${earlier.name} has no repeated trials`
          : `medians of the configurations of ${earlier.name}`,
    design: power(tasks, trials),
    others: [
      ...TRIALS.filter((count) => count !== trials).map((count) => power(tasks, count)),
      ...TASK_FACTORS.map((factor) => power(Math.round(tasks * factor), trials)),
    ],
  };
}

function noiseOf({ configurations }: Measurement): AssumedNoise | undefined {
  const found = configurations.flatMap(({ control, noise }) => (control || noise === null ? [] : [noise]));
  if (found.length === 0) return undefined;
  return {
    trialSd: median(found.map(({ trialSd }) => trialSd)),
    gainSdByTask: median(found.map(({ gainSdByTask }) => gainSdByTask)),
  };
}
