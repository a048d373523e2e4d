import type { NoiseFigures } from '../../model/uncertainty.ts';
import { type ArmResults, knownRewards } from '../arm-results.ts';
import type { TaskArms } from '../pairing.ts';
import { mean } from '../pass-rate.ts';

/** What chance does to the trials of one task in one arm. */
interface Luck {
  /** Of one trial's reward, unbiased. */
  readonly ofTrial: number;
  /** Of the task's rate. */
  readonly ofRate: number;
}

/**
 * How much of the gains' spread over tasks is the luck of single trials, from tasks of which both arms have two trials with known rewards;
 * `null` without any. `gainVariance` is the variance of the gains over tasks, luck included.
 */
export function trialNoise(tasks: readonly TaskArms[], gainVariance: number): NoiseFigures | null {
  const repeated = tasks.flatMap(({ baseline, treatment }) => {
    const [without, withIt] = [luckOf(baseline), luckOf(treatment)];
    return without === undefined || withIt === undefined ? [] : [{ without, withIt }];
  });
  const ofTrial = mean(repeated.flatMap(({ without, withIt }) => [without.ofTrial, withIt.ofTrial]));
  const ofGain = mean(repeated.map(({ without, withIt }) => without.ofRate + withIt.ofRate));
  if (ofTrial === null || ofGain === null) return null;
  return {
    tasks: repeated.length,
    trialSd: Math.sqrt(ofTrial),
    gainSdByLuck: Math.sqrt(ofGain),
    gainSdByTask: Math.sqrt(Math.max(0, gainVariance - ofGain)),
  };
}

function luckOf(arm: ArmResults): Luck | undefined {
  const rewards = knownRewards(arm);
  if (rewards === undefined || rewards.length < 2) return undefined;
  const sorted = rewards.toSorted((a, b) => a - b);
  const middle = mean(sorted) ?? 0;
  const ofTrial = sorted.reduce((sum, reward) => sum + (reward - middle) ** 2, 0) / (sorted.length - 1);
  return { ofTrial, ofRate: ofTrial / sorted.length };
}
