import type { ConditionName, ConfigurationName, TaskId } from '../model/ids.ts';
import type { TrialAverage } from '../model/imported-results.ts';
import type { IncompletePair } from '../model/measurement.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { pairKey, type Trial } from '../model/trial.ts';
import type { ArmResults } from './arm-results.ts';

/** Two conditions that are compared: what the second does beyond the first. */
export interface Contrast {
  readonly baseline: ConditionName;
  readonly treatment: ConditionName;
}

/** What trials came to: each of them, or means over those of one task, condition and configuration. */
export interface Results {
  readonly trials: readonly TrialRecord[];
  readonly averages?: readonly TrialAverage[];
}

/** The results of one task under one configuration, arm by arm. */
export interface TaskArms {
  readonly task: TaskId;
  readonly baseline: ArmResults;
  readonly treatment: ArmResults;
}

/** Two trials that differ only in condition. */
export interface Pair {
  readonly key: string;
  readonly baseline: TrialRecord;
  readonly treatment: TrialRecord;
}

/** Order by code units: the same on every machine, whatever its locale. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Groups results by configuration and task; tasks by id, trials by index, whatever the order of the records. Results of conditions that
 * are neither arm of the contrast are left out.
 */
export function groupByTask(
  { trials, averages }: Results,
  { baseline, treatment }: Contrast,
): ReadonlyMap<ConfigurationName, readonly TaskArms[]> {
  const groups = new Map<ConfigurationName, Map<TaskId, TaskArmsDraft>>();
  const draftOf = (configuration: ConfigurationName, task: TaskId) => {
    const tasks = groups.get(configuration) ?? new Map<TaskId, TaskArmsDraft>();
    groups.set(configuration, tasks);
    const arms = tasks.get(task) ?? { task, baseline: { records: [] }, treatment: { records: [] } };
    tasks.set(task, arms);
    return arms;
  };
  const armOf = ({ configuration, task, condition }: Omit<Trial, 'id' | 'index'>) => {
    if (condition === baseline) return draftOf(configuration, task).baseline;
    return condition === treatment ? draftOf(configuration, task).treatment : undefined;
  };
  for (const record of trials) armOf(record.trial)?.records.push(record);
  for (const average of averages ?? []) {
    const arm = armOf(average);
    if (arm !== undefined) arm.average = average;
  }
  return new Map([...groups].map(([name, tasks]) => [name, [...tasks.values()].map(sorted).sort(byTask)]));
}

/** The planned pairs of one task; a trial whose counterpart was not planned belongs to none. */
export function pairsOf(arms: TaskArms): readonly Pair[] {
  const counterparts = new Map(arms.treatment.records.map((record) => [record.trial.index, record]));
  return arms.baseline.records.flatMap((baseline) => {
    const treatment = counterparts.get(baseline.trial.index);
    return treatment === undefined ? [] : [{ key: pairKey(baseline.trial), baseline, treatment }];
  });
}

/** What a pair lacks: its trials without a verdict, by name; `undefined` for a complete pair. */
export function incompletePair(pair: Pair): IncompletePair | undefined {
  const missing = [pair.baseline, pair.treatment].flatMap(({ trial, outcome }) =>
    outcome.kind === 'unscored' ? [{ trial: trial.id, reason: outcome.reason }] : [],
  );
  return missing.length === 0 ? undefined : { pair: pair.key, missing };
}

/** How many of complete pairs passed with the treatment only, and without it only. */
export function flipsOf(complete: readonly Pair[]): { up: number; down: number } {
  const changed = (from: 'baseline' | 'treatment', to: 'baseline' | 'treatment') =>
    complete.filter((pair) => !isPassed(pair[from]) && isPassed(pair[to])).length;
  return { up: changed('baseline', 'treatment'), down: changed('treatment', 'baseline') };
}

function isPassed({ outcome }: TrialRecord): boolean {
  return outcome.kind === 'scored' && outcome.verdict.passed;
}

interface ArmDraft {
  readonly records: TrialRecord[];
  average?: TrialAverage;
}

type TaskArmsDraft = { task: TaskId; baseline: ArmDraft; treatment: ArmDraft };

function sorted(arms: TaskArmsDraft): TaskArms {
  arms.baseline.records.sort(byIndex);
  arms.treatment.records.sort(byIndex);
  return arms;
}

function byIndex(a: TrialRecord, b: TrialRecord): number {
  return a.trial.index - b.trial.index;
}

function byTask(a: TaskArms, b: TaskArms): number {
  return byText(a.task, b.task);
}
