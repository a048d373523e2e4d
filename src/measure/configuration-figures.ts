import type { ConfigurationName } from '../model/ids.ts';
import type { ArmFigures, Bounded, ConfigurationFigures, TaskFigures } from '../model/measurement.ts';
import type { ProviderSettings } from '../model/model-settings.ts';
import type { TaskMetadata } from '../model/task.ts';
import { armCounts, armPasses, isPlanned, isScored, outcomesOf } from './arm-results.ts';
import { type Arm, boundedGain, boundedNormalizedGain, boundedRate, gainRange } from './bounds.ts';
import { addedCounts, coverage } from './counts.ts';
import { gain } from './gain.ts';
import { modelFigures } from './model-figures.ts';
import { type Contrast, incompletePair, pairsOf, type TaskArms } from './pairing.ts';
import { mean, passRate, taskRate } from './pass-rate.ts';
import { resourceFigures } from './resource-figures.ts';
import { skillUseFigures } from './skill-use-figures.ts';
import { skillUseSlices } from './skill-use-slices.ts';
import { type SlicedTask, slicesOf } from './slice-figures.ts';
import type { TaskSlices } from './slice-keys.ts';
import { isPassedBy, ROUNDING } from './task-averages.ts';
import { taskFigures } from './task-figures.ts';
import {
  armInterval,
  configurationUncertainty,
  FEWEST_TASKS,
} from './uncertainty/configuration-uncertainty.ts';

/** One configuration's planned trials, and what else its figures need. */
export interface ConfigurationInput {
  readonly configuration: ConfigurationName;
  readonly contrast: Contrast;
  /** Harness and model, where they are known. */
  readonly madeOf: Pick<ConfigurationFigures, 'harness' | 'model'>;
  /** How its tasks are sliced. */
  readonly slices: readonly TaskSlices[];
  readonly control: boolean;
  /** By task id. */
  readonly tasks: readonly TaskArms[];
  readonly metadata: ReadonlyMap<string, TaskMetadata>;
  /** Accounts by name, whose protocols tell what their tokens cost. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  readonly seed: number;
}

/** All figures of one configuration. With one arm planned there are rates and no gain. */
export function configurationFigures(input: ConfigurationInput): ConfigurationFigures {
  const sets = taskSets(input.tasks);
  const tasks = input.tasks.map((arms) => taskFigures(arms, input.metadata.get(arms.task)));
  const arms = sets.planned.map((arm) => armFigures(arm, { input, sets, tasks }));
  const baseline = rateOf(arms, input.contrast.baseline);
  const treatment = rateOf(arms, input.contrast.treatment);
  const models = modelFigures(input.tasks, input.providers, input.contrast);
  return {
    configuration: input.configuration,
    ...input.contrast,
    ...input.madeOf,
    control: input.control,
    arms,
    plannedTasks: input.tasks.length,
    descriptive: sets.used.length < FEWEST_TASKS,
    pairs: {
      planned: total(tasks, ({ pairs }) => pairs.planned),
      complete: total(tasks, ({ pairs }) => pairs.complete),
    },
    flips: { up: total(tasks, ({ flips }) => flips.up), down: total(tasks, ({ flips }) => flips.down) },
    pairedTasks: sets.paired.length,
    unpairedTasks: sets.unpaired.map((arms) => arms.task),
    gain: boundedGain(baseline, treatment),
    gainRange: gainRange(baseline, treatment),
    gainOfCompletePairs: gainOfCompletePairs(input.tasks),
    normalizedGain: boundedNormalizedGain(baseline, treatment),
    meanTaskNormalizedGain: meanTaskNormalizedGain(tasks),
    ...configurationUncertainty({
      tasks,
      arms: input.tasks,
      seed: `${input.seed}/${input.configuration}`,
    }),
    regressions: tasks.filter((task) => task.gain !== null && task.gain < -ROUNDING).map(({ task }) => task),
    nobodySolves: tasks.filter((task) => isPassedBy(task, 'none')).map(({ task }) => task),
    everybodySolves: tasks.filter((task) => isPassedBy(task, 'all')).map(({ task }) => task),
    slices: [...slicesOf(tasks.map(slicedTask), input.slices), ...skillUseSlices(input.tasks)],
    resources: resourceFigures(input.tasks, input.providers),
    tasks,
    skillUse: skillUseFigures(input.tasks, input.contrast),
    ...(models.length === 0 ? {} : { models }),
  };
}

interface TaskSets {
  readonly planned: readonly Arm[];
  /** A scored trial in both arms. */
  readonly paired: readonly TaskArms[];
  readonly unpaired: readonly TaskArms[];
  /** What the headline is over: `paired`, or all tasks when only one arm was planned. */
  readonly used: readonly TaskArms[];
  /** What the bounds are over: planned in every planned arm. */
  readonly framed: readonly TaskArms[];
}

function taskSets(tasks: readonly TaskArms[]): TaskSets {
  const both: readonly Arm[] = ['baseline', 'treatment'];
  const planned = both.filter((arm) => tasks.some((task) => isPlanned(task[arm])));
  const isPaired = (task: TaskArms) => both.every((arm) => isScored(task[arm]));
  const paired = tasks.filter(isPaired);
  if (planned.length < 2) return { planned, paired, unpaired: [], used: tasks, framed: tasks };
  const unpaired = tasks.filter((task) => !isPaired(task));
  const framed = tasks.filter((task) => both.every((arm) => isPlanned(task[arm])));
  return { planned, paired, unpaired, used: paired, framed };
}

interface ArmInput {
  readonly input: ConfigurationInput;
  readonly sets: TaskSets;
  readonly tasks: readonly TaskFigures[];
}

function armFigures(arm: Arm, { input, sets, tasks }: ArmInput): ArmFigures {
  const counted = addedCounts(input.tasks.map((task) => armCounts(task[arm])));
  const used = new Set(sets.used.map(({ task }) => task));
  return {
    condition: input.contrast[arm],
    counts: counted,
    coverage: input.tasks.some((task) => task[arm].average !== undefined) ? null : coverage(counted),
    tasks: sets.used.filter((task) => isScored(task[arm])).length,
    passed: allPasses(input.tasks.map((task) => armPasses(task[arm]))),
    passRate: boundedRate(arm, sets.used, sets.framed),
    passRateInterval: armInterval(
      tasks.filter(({ task }) => used.has(task)),
      arm,
    ),
  };
}

function total(tasks: readonly TaskFigures[], count: (task: TaskFigures) => number): number {
  return tasks.reduce((sum, task) => sum + count(task), 0);
}

function slicedTask({ task, baseline, treatment, counts }: TaskFigures): SlicedTask {
  const trials = { baseline: counts.baseline.scored, treatment: counts.treatment.scored };
  return { task, baseline, treatment, trials };
}

function allPasses(passes: readonly (number | null)[]): number | null {
  return passes.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

function rateOf(arms: readonly ArmFigures[], condition: ArmFigures['condition']): Bounded {
  const arm = arms.find((figures) => figures.condition === condition);
  return arm?.passRate ?? { value: null, unscoredAsFailed: null, unscoredAsPassed: null };
}

function meanTaskNormalizedGain(tasks: readonly TaskFigures[]) {
  const gains = tasks.filter((task) => task.gain !== null).map((task) => task.normalizedGain);
  const defined = gains.filter((value) => value !== null);
  return {
    value: mean(defined),
    defined: defined.length,
    undefinedTasks: gains.length - defined.length,
  };
}

function gainOfCompletePairs(tasks: readonly TaskArms[]): number | null {
  const complete = tasks.map((task) => pairsOf(task).filter((pair) => incompletePair(pair) === undefined));
  const rates = (arm: Arm) =>
    complete.flatMap((pairs) => taskRate(outcomesOf(pairs.map((pair) => pair[arm])), 'absent') ?? []);
  return gain(passRate(rates('baseline')), passRate(rates('treatment')));
}
