import type { ConfigurationFigures, TaskFigures } from '../model/measurement.ts';
import type { OverallFigures, TaskAverage } from '../model/overall-figures.ts';
import { byText } from './pairing.ts';
import { passRate } from './pass-rate.ts';

/** Gains closer to 0 than this are rounding, not regressions: imported means come with six decimals, and a gain is of two. */
export const ROUNDING = 2e-6;
const LARGEST = 10;

/** Tasks over configurations: their mean rates and gains, and which stand out. */
export function taskAverages(
  configurations: readonly ConfigurationFigures[],
): Pick<
  OverallFigures,
  'tasks' | 'negativeTasks' | 'nobodySolves' | 'everybodySolves' | 'meanOfTenLargestGains'
> {
  const byTask = [
    ...Map.groupBy(
      configurations.flatMap(({ tasks }) => tasks),
      ({ task }) => task,
    ),
  ].sort(([a], [b]) => byText(a, b));
  const tasks = byTask.map(([task, figures]) => average(task, figures));
  const gains = tasks.flatMap(({ task, gain }) => (gain === null ? [] : [{ task, gain }]));
  const rising = gains.toSorted((a, b) => a.gain - b.gain || byText(a.task, b.task));
  const largest = rising.slice(-LARGEST).map(({ gain }) => gain);
  const solvedBy = (share: (figures: TaskFigures) => boolean) =>
    byTask.filter(([, figures]) => figures.every(share)).map(([task]) => task);
  return {
    tasks,
    negativeTasks: rising.filter(({ gain }) => gain < -ROUNDING).map(({ task }) => task),
    nobodySolves: solvedBy((figures) => isPassedBy(figures, 'none')),
    everybodySolves: solvedBy((figures) => isPassedBy(figures, 'all')),
    meanOfTenLargestGains: largest.length < LARGEST ? null : passRate(largest),
  };
}

function average(task: TaskAverage['task'], figures: readonly TaskFigures[]): TaskAverage {
  const paired = figures.filter(({ gain }) => gain !== null);
  const meanOf = (rate: 'baseline' | 'treatment' | 'gain') =>
    passRate(paired.flatMap((one) => one[rate] ?? []));
  return {
    task,
    configurations: paired.length,
    baseline: meanOf('baseline'),
    treatment: meanOf('treatment'),
    gain: meanOf('gain'),
  };
}

/** Whether all trials with a verdict passed, or none did; false where nothing is scored or passes are not known. */
export function isPassedBy({ counts, passed }: TaskFigures, share: 'all' | 'none'): boolean {
  const scored = counts.baseline.scored + counts.treatment.scored;
  if (scored === 0 || passed.baseline === null || passed.treatment === null) return false;
  return passed.baseline + passed.treatment === (share === 'all' ? scored : 0);
}
