import { seedFrom } from '../base/random.ts';
import type { ConfigurationName } from '../model/ids.ts';
import type { ArmFigures, Bounded, ConfigurationFigures, TaskFigures } from '../model/measurement.ts';
import type { ProviderSettings } from '../model/model-settings.ts';
import type { TaskMetadata } from '../model/task.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { type Arm, boundedGain, boundedNormalizedGain, boundedRate, gainRange } from './bounds.ts';
import { counts, coverage } from './counts.ts';
import { gain } from './gain.ts';
import { modelFigures } from './model-figures.ts';
import { incompletePair, type Pair, pairsOf, type TaskArms } from './pairing.ts';
import { mean, passRate, taskRate } from './pass-rate.ts';
import { skillUseFigures } from './skill-use-figures.ts';
import { outcomesOf, taskFigures } from './task-figures.ts';

/** Gains closer to 0 than this are rounding, not regressions. */
const ROUNDING = 1e-9;
/** A slice with fewer tasks is descriptive. */
const FEWEST_TASKS = 8;

/** One configuration's planned trials, and what else its figures need. */
export interface ConfigurationInput {
  readonly configuration: ConfigurationName;
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
  const pairs = input.tasks.flatMap(pairsOf);
  const complete = pairs.filter((pair) => incompletePair(pair) === undefined);
  const arms = sets.planned.map((arm) => armFigures(arm, input.tasks, sets));
  const noSkills = rateOf(arms, 'no-skills');
  const withSkills = rateOf(arms, 'with-skills');
  const models = modelFigures(input.tasks, input.providers);
  return {
    configuration: input.configuration,
    control: input.control,
    arms,
    plannedTasks: input.tasks.length,
    descriptive: sets.used.length < FEWEST_TASKS,
    pairs: { planned: pairs.length, complete: complete.length },
    flips: flips(complete),
    pairedTasks: sets.paired.length,
    unpairedTasks: sets.unpaired.map((arms) => arms.task),
    gain: boundedGain(noSkills, withSkills),
    gainRange: gainRange(noSkills, withSkills),
    gainOfCompletePairs: gainOfCompletePairs(input.tasks),
    normalizedGain: boundedNormalizedGain(noSkills, withSkills),
    meanTaskNormalizedGain: meanTaskNormalizedGain(tasks),
    gainInterval: gainInterval(input, sets.paired, tasks),
    regressions: tasks.filter((task) => task.gain !== null && task.gain < -ROUNDING).map(({ task }) => task),
    tasks,
    skillUse: skillUseFigures(input.tasks),
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
  const both: readonly Arm[] = ['noSkills', 'withSkills'];
  const planned = both.filter((arm) => tasks.some((task) => task[arm].length > 0));
  const isPaired = (task: TaskArms) => both.every((arm) => isScored(task, arm));
  const paired = tasks.filter(isPaired);
  if (planned.length < 2) return { planned, paired, unpaired: [], used: tasks, framed: tasks };
  const unpaired = tasks.filter((task) => !isPaired(task));
  const framed = tasks.filter((task) => both.every((arm) => task[arm].length > 0));
  return { planned, paired, unpaired, used: paired, framed };
}

function isScored(task: TaskArms, arm: Arm): boolean {
  return task[arm].some((record) => record.outcome.kind === 'scored');
}

function armFigures(arm: Arm, tasks: readonly TaskArms[], sets: TaskSets): ArmFigures {
  const outcomes = tasks.flatMap((task) => outcomesOf(task[arm]));
  const counted = counts(outcomes);
  return {
    condition: arm === 'noSkills' ? 'no-skills' : 'with-skills',
    counts: counted,
    coverage: coverage(counted),
    tasks: sets.used.filter((task) => isScored(task, arm)).length,
    passed: outcomes.filter((outcome) => outcome.kind === 'scored' && outcome.verdict.reward === 1).length,
    passRate: boundedRate(arm, sets.used, sets.framed),
  };
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

/** With at most one scored trial per task and arm, nothing tells a task's luck from its rate: no interval. */
function gainInterval(input: ConfigurationInput, paired: readonly TaskArms[], tasks: readonly TaskFigures[]) {
  const repeated = tasks.some(({ counts: { noSkills, withSkills }, gain: taskGain }) => {
    return taskGain !== null && Math.max(noSkills.scored, withSkills.scored) > 1;
  });
  if (!repeated || paired.length < 2) return null;
  const gains = tasks.flatMap((task) => task.gain ?? []);
  return bootstrapInterval(gains, seedFrom(`${input.seed}/${input.configuration}`));
}

function gainOfCompletePairs(tasks: readonly TaskArms[]): number | null {
  const complete = tasks.map((task) => pairsOf(task).filter((pair) => incompletePair(pair) === undefined));
  const rates = (arm: Arm) =>
    complete.flatMap((pairs) => taskRate(outcomesOf(pairs.map((pair) => pair[arm])), 'absent') ?? []);
  return gain(passRate(rates('noSkills')), passRate(rates('withSkills')));
}

function flips(complete: readonly Pair[]): ConfigurationFigures['flips'] {
  const changed = (from: Arm, to: Arm) =>
    complete.filter((pair) => !isPassed(pair[from].outcome) && isPassed(pair[to].outcome)).length;
  return { up: changed('noSkills', 'withSkills'), down: changed('withSkills', 'noSkills') };
}

function isPassed(outcome: Pair['noSkills']['outcome']): boolean {
  return outcome.kind === 'scored' && outcome.verdict.passed;
}
