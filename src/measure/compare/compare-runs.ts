import type { ComparedConfiguration, Comparison } from '../../model/comparison.ts';
import type { ConditionName, ConfigurationName, TaskId } from '../../model/ids.ts';
import { isPlanned } from '../arm-results.ts';
import { isControlHarness } from '../control-harness.ts';
import { byText, groupByTask, type Results, type TaskArms } from '../pairing.ts';
import { gainFigure, rateFigure } from './compared-figure.ts';
import { comparedTask } from './compared-task.ts';

/** What comparing needs of a run. */
export interface ComparedRun {
  readonly name: string;
  readonly results: Results;
  readonly configurations: readonly {
    readonly name: ConfigurationName;
    readonly harness?: string | undefined;
  }[];
  /** By task; none for results of which no files are known. */
  readonly taskDigests: ReadonlyMap<TaskId, string>;
  readonly seed: number;
}

const ARMS = { baseline: 'no-skills' as ConditionName, treatment: 'with-skills' as ConditionName };

type Groups = ReadonlyMap<ConfigurationName, readonly TaskArms[]>;

/**
 * What moved from one run to another, by configuration, task and arm, with the uncertainty of what tasks were chosen. Tasks whose files
 * differ are in no figure. Pure: chance comes from the later run's seed alone.
 */
export function compareRuns(before: ComparedRun, after: ComparedRun): Omit<Comparison, 'changed'> {
  const [were, are] = [groupByTask(before.results, ARMS), groupByTask(after.results, ARMS)];
  const pairs = matched(before, after, { were, are });
  const [tasksBefore, tasksAfter] = [tasksOf(were), tasksOf(are)];
  const other = [...tasksBefore].filter((task) => tasksAfter.has(task) && hasOtherFiles(task, before, after));
  const isComparable = (task: TaskId) => tasksAfter.has(task) && !other.includes(task);
  return {
    schemaVersion: 1,
    before: before.name,
    after: after.name,
    configurations: pairs.map(([was, is]) =>
      compared(
        { before: was, after: is, control: isControl(after, is), seed: after.seed, isComparable },
        were.get(was) ?? [],
        are.get(is) ?? [],
      ),
    ),
    otherTasks: other.sort(byText),
    onlyBefore: {
      tasks: without(tasksBefore, tasksAfter),
      configurations: without(were.keys(), new Set(pairs.map(([was]) => was))),
    },
    onlyAfter: {
      tasks: without(tasksAfter, tasksBefore),
      configurations: without(are.keys(), new Set(pairs.map(([, is]) => is))),
    },
  };
}

/** By name; where one alone is left on each side for a harness, these two: a name is often made of harness and model. */
function matched(
  before: ComparedRun,
  after: ComparedRun,
  { were, are }: { readonly were: Groups; readonly are: Groups },
): (readonly [ConfigurationName, ConfigurationName])[] {
  const left = (run: ComparedRun, own: Groups, others: Groups) =>
    run.configurations.filter(({ name }) => own.has(name) && !others.has(name));
  const [gone, come] = [left(before, were, are), left(after, are, were)];
  return [...were.keys()].sort(byText).flatMap((name) => {
    if (are.has(name)) return [[name, name] as const];
    const harness = gone.find((one) => one.name === name)?.harness;
    const [newcomers, leavers] = [come, gone].map((list) => list.filter((one) => one.harness === harness));
    const [newcomer] = newcomers ?? [];
    const isClear = harness !== undefined && newcomers?.length === 1 && leavers?.length === 1;
    return isClear && newcomer !== undefined ? [[name, newcomer.name] as const] : [];
  });
}

function tasksOf(groups: Groups): ReadonlySet<TaskId> {
  return new Set([...groups.values()].flatMap((tasks) => tasks.map(({ task }) => task)));
}

function hasOtherFiles(task: TaskId, before: ComparedRun, after: ComparedRun): boolean {
  const [was, is] = [before.taskDigests.get(task), after.taskDigests.get(task)];
  return was !== undefined && is !== undefined && was !== is;
}

function without<Name extends string>(names: Iterable<Name>, others: ReadonlySet<Name>): Name[] {
  return [...names].filter((name) => !others.has(name)).sort(byText);
}

function isControl({ configurations }: ComparedRun, name: ConfigurationName): boolean {
  return isControlHarness(configurations.find((one) => one.name === name)?.harness);
}

interface Frame {
  readonly before: ConfigurationName;
  readonly after: ConfigurationName;
  readonly control: boolean;
  readonly seed: number;
  readonly isComparable: (task: TaskId) => boolean;
}

function compared(
  { before, after, control, seed, isComparable }: Frame,
  were: readonly TaskArms[],
  are: readonly TaskArms[],
): ComparedConfiguration {
  const now = new Map(are.map((arms) => [arms.task, arms]));
  const cells = were.flatMap((was) => {
    const is = now.get(was.task);
    return is === undefined || !isComparable(was.task) ? [] : [cellOf(was, is)];
  });
  const arm = (name: keyof typeof ARMS) => cells.map((cell) => cell[name]);
  return {
    before,
    after,
    control,
    arms: [
      { condition: ARMS.baseline, figure: rateFigure(arm('baseline'), seed) },
      { condition: ARMS.treatment, figure: rateFigure(arm('treatment'), seed) },
    ],
    gain: gainFigure(cells, seed),
    tasks: cells.flatMap(({ baseline, treatment, planned }) =>
      [baseline, treatment].filter(({ condition }) => planned.includes(condition)),
    ),
  };
}

/** Both arms of a task. `planned`: those that either run has. */
function cellOf(was: TaskArms, is: TaskArms) {
  const arm = (name: keyof typeof ARMS) =>
    comparedTask({ task: was.task, condition: ARMS[name] }, was[name], is[name]);
  const names = (['baseline', 'treatment'] as const).filter(
    (name) => isPlanned(was[name]) || isPlanned(is[name]),
  );
  return { baseline: arm('baseline'), treatment: arm('treatment'), planned: names.map((name) => ARMS[name]) };
}
