import type { TaskFigures } from '../model/measurement.ts';
import type { TaskMetadata } from '../model/task.ts';
import { armCounts, armPasses, armRate } from './arm-results.ts';
import { gain, normalizedGain } from './gain.ts';
import { flipsOf, incompletePair, pairsOf, type TaskArms } from './pairing.ts';

/** One task's figures under one configuration. A task without metadata in the lock is of `unknown` domain and difficulty. */
export function taskFigures(arms: TaskArms, metadata: TaskMetadata | undefined): TaskFigures {
  const baseline = armRate(arms.baseline, 'absent');
  const treatment = armRate(arms.treatment, 'absent');
  const pairs = pairsOf(arms);
  const complete = pairs.filter((pair) => incompletePair(pair) === undefined);
  return {
    task: arms.task,
    domain: metadata?.domain ?? 'unknown',
    difficulty: metadata?.difficulty ?? 'unknown',
    baseline,
    treatment,
    gain: gain(baseline, treatment),
    normalizedGain: normalizedGain(baseline, treatment),
    pairs: { planned: pairs.length, complete: complete.length },
    flips: flipsOf(complete),
    passed: { baseline: armPasses(arms.baseline), treatment: armPasses(arms.treatment) },
    counts: { baseline: armCounts(arms.baseline), treatment: armCounts(arms.treatment) },
  };
}
