import { seedFrom } from '../../base/random.ts';
import type { ComparedFigure, ComparedTask } from '../../model/comparison.ts';
import type { Interval } from '../../model/uncertainty.ts';
import { mean } from '../pass-rate.ts';
import { bootstrapInterval } from '../uncertainty/bootstrap.ts';
import { FEWEST_TASKS } from '../uncertainty/configuration-uncertainty.ts';
import { gainInterval } from '../uncertainty/gain-interval.ts';
import { signFlipTest } from '../uncertainty/sign-flip.ts';
import { taskSpread } from '../uncertainty/task-spread.ts';

interface Moved {
  readonly before: number;
  readonly after: number;
}

/**
 * The pass rate of one arm in both runs. The two runs of a task are a pair as the two arms are, so the interval is that of a gain
 * (square-and-add, see gain-interval.ts).
 */
export function rateFigure(tasks: readonly ComparedTask[], seed: number): ComparedFigure {
  const known = tasks.filter(({ change }) => change !== null);
  const moved = known.flatMap(({ before, after }): Moved[] =>
    before.rate === null || after.rate === null ? [] : [{ before: before.rate, after: after.rate }],
  );
  const trials = (side: 'before' | 'after') => mean(known.map((task) => task[side].scored)) ?? 0;
  const spread = taskSpread(
    moved.map(({ before, after }) => ({ baseline: before, treatment: after })),
    { baseline: trials('before'), treatment: trials('after') },
  );
  const interval = spread === null || !mayHaveInterval(known) ? null : gainInterval(spread);
  return figure(moved, interval, seed);
}

/** The gain in both runs, over tasks with a verdict in all four places; its interval is a bootstrap over tasks. */
export function gainFigure(
  cells: readonly { readonly baseline: ComparedTask; readonly treatment: ComparedTask }[],
  seed: number,
): ComparedFigure {
  const known = cells.filter(
    ({ baseline, treatment }) => baseline.change !== null && treatment.change !== null,
  );
  const moved = known.map(({ baseline, treatment }) => ({
    before: (treatment.before.rate ?? 0) - (baseline.before.rate ?? 0),
    after: (treatment.after.rate ?? 0) - (baseline.after.rate ?? 0),
  }));
  const isEnough = mayHaveInterval(known.map(({ treatment }) => treatment));
  const changes = moved.map(({ before, after }) => after - before);
  return figure(moved, isEnough ? bootstrapInterval(changes, seed) : null, seed);
}

/** As for a run's own figures: from few tasks with single trials there is none. */
function mayHaveInterval(tasks: readonly ComparedTask[]): boolean {
  const isRepeated = tasks.some(({ before, after }) => Math.max(before.scored, after.scored) > 1);
  return tasks.length >= FEWEST_TASKS || isRepeated;
}

function figure(moved: readonly Moved[], interval: Interval | null, seed: number): ComparedFigure {
  const changes = moved.map(({ before, after }) => after - before);
  return {
    tasks: moved.length,
    before: mean(moved.map(({ before }) => before)),
    after: mean(moved.map(({ after }) => after)),
    change: mean(changes),
    interval,
    signFlip: moved.length < FEWEST_TASKS ? null : signFlipTest(changes, seedFrom(`${seed}/compare`)),
  };
}
