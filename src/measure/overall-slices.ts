import { seedFrom } from '../base/random.ts';
import type { ConfigurationFigures } from '../model/measurement.ts';
import type { SliceFigures, SliceKind } from '../model/slice-figures.ts';
import { byText } from './pairing.ts';
import { mean } from './pass-rate.ts';
import { type SlicedTask, sliceFigures, slicesOf } from './slice-figures.ts';
import { modelFamily, type TaskSlices } from './slice-keys.ts';

/** Slices over the configurations that are in the averages: of tasks, each with its means over configurations, then of configurations. */
export function overallSlices(
  configurations: readonly ConfigurationFigures[],
  kinds: readonly TaskSlices[],
  seed: number,
): SliceFigures[] {
  const bySlice = seedFrom(`${seed}/slices`);
  return [
    ...slicesOf(averagedTasks(configurations), kinds, bySlice),
    ...configurationSlices('harness', configurations, { seed: bySlice, key: ({ harness }) => harness }),
    ...configurationSlices('model-family', configurations, {
      seed: bySlice,
      key: ({ model }) => (model === undefined ? undefined : modelFamily(model)),
    }),
  ];
}

interface Grouping {
  readonly seed: number;
  readonly key: (figures: ConfigurationFigures) => string | undefined;
}

/** Nothing where all configurations are of one group. */
function configurationSlices(
  by: SliceKind,
  configurations: readonly ConfigurationFigures[],
  { seed, key }: Grouping,
): SliceFigures[] {
  const groups = Map.groupBy(configurations, (figures) => key(figures) ?? 'unknown');
  if (groups.size < 2) return [];
  return [...groups]
    .sort(([a], [b]) => byText(a, b))
    .map(([value, group]) => sliceFigures(averagedTasks(group), { by, value, seed }));
}

/** Each task with the means of its rates over the configurations in which both arms are scored; its trials together. */
function averagedTasks(configurations: readonly ConfigurationFigures[]): SlicedTask[] {
  const byTask = Map.groupBy(
    configurations.flatMap(({ tasks }) => tasks.filter(({ gain }) => gain !== null)),
    ({ task }) => task,
  );
  return [...byTask]
    .sort(([a], [b]) => byText(a, b))
    .map(([task, figures]) => ({
      task,
      baseline: mean(figures.flatMap(({ baseline }) => baseline ?? [])),
      treatment: mean(figures.flatMap(({ treatment }) => treatment ?? [])),
      trials: {
        baseline: figures.reduce((sum, { counts }) => sum + counts.baseline.scored, 0),
        treatment: figures.reduce((sum, { counts }) => sum + counts.treatment.scored, 0),
      },
    }));
}
