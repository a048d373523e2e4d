import type { SliceFigures, SliceKind } from '../model/slice-figures.ts';
import { mean } from './pass-rate.ts';
import type { TaskSlices } from './slice-keys.ts';
import { FEWEST_TASKS } from './uncertainty/configuration-uncertainty.ts';
import { gainInterval } from './uncertainty/gain-interval.ts';
import { signFlipTest } from './uncertainty/sign-flip.ts';
import { type TaskRates, taskSpread } from './uncertainty/task-spread.ts';

/** One task's rates, and how many trials they are of. */
export interface SlicedTask {
  readonly task: string;
  readonly baseline: number | null;
  readonly treatment: number | null;
  readonly trials: { readonly baseline: number; readonly treatment: number };
}

/** What to ask of a slice beside its means. */
export interface SliceOptions {
  readonly by: SliceKind;
  readonly value: string;
  /** Without: no test, as for slices of single configurations, where one in twenty would show something by chance. */
  readonly seed?: number;
  /** The slice was chosen by what came out: never a test. */
  readonly isSelected?: boolean;
}

/** The figures of every slice that has a task with both rates, in their order. */
export function slicesOf(
  tasks: readonly SlicedTask[],
  kinds: readonly TaskSlices[],
  seed?: number,
): SliceFigures[] {
  const paired = tasks.filter(({ baseline, treatment }) => baseline !== null && treatment !== null);
  return kinds.flatMap(({ by, values, valueByTask }) => {
    const groups = Map.groupBy(paired, ({ task }) => valueByTask.get(task));
    return values.flatMap((value) => {
      const found = groups.get(value);
      return found === undefined
        ? []
        : [sliceFigures(found, { by, value, ...(seed === undefined ? {} : { seed }) })];
    });
  });
}

/** Means of the tasks that have both rates, every task alike, with an interval; from eight tasks on with a test. */
export function sliceFigures(tasks: readonly SlicedTask[], options: SliceOptions): SliceFigures {
  const { by, value, seed, isSelected = false } = options;
  const paired = tasks.flatMap(({ baseline, treatment, trials }) =>
    baseline === null || treatment === null ? [] : [{ baseline, treatment, trials }],
  );
  const rates = paired.map(({ baseline, treatment }): TaskRates => ({ baseline, treatment }));
  const descriptive = isSelected || paired.length < FEWEST_TASKS;
  const gains = rates.map(({ baseline, treatment }) => treatment - baseline);
  return {
    by,
    value,
    tasks: paired.length,
    baseline: mean(rates.map(({ baseline }) => baseline)),
    treatment: mean(rates.map(({ treatment }) => treatment)),
    gain: mean(gains),
    descriptive,
    gainInterval: descriptive ? null : intervalOf(paired),
    signFlip: descriptive || seed === undefined ? null : signFlipTest(gains, seed),
  };
}

function intervalOf(
  paired: readonly (TaskRates & Pick<SlicedTask, 'trials'>)[],
): SliceFigures['gainInterval'] {
  const trialsOf = (arm: 'baseline' | 'treatment') => mean(paired.map(({ trials }) => trials[arm])) ?? 0;
  const spread = taskSpread(paired, { baseline: trialsOf('baseline'), treatment: trialsOf('treatment') });
  return spread === null ? null : gainInterval(spread);
}
