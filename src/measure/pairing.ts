import type { ConfigurationName, TaskId } from '../model/ids.ts';
import type { IncompletePair } from '../model/measurement.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { pairKey } from '../model/trial.ts';

/** The trials of one task under one configuration, arm by arm, each by index. An arm that was not planned is empty. */
export interface TaskArms {
  readonly task: TaskId;
  readonly noSkills: readonly TrialRecord[];
  readonly withSkills: readonly TrialRecord[];
}

/** Two trials that differ only in condition. */
export interface Pair {
  readonly key: string;
  readonly noSkills: TrialRecord;
  readonly withSkills: TrialRecord;
}

/** Order by code units: the same on every machine, whatever its locale. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Groups records by configuration and task; tasks by id, trials by index, whatever the order of the records. */
export function groupByTask(
  records: readonly TrialRecord[],
): ReadonlyMap<ConfigurationName, readonly TaskArms[]> {
  const groups = new Map<ConfigurationName, Map<TaskId, TaskArmsDraft>>();
  for (const record of records) {
    const { configuration, task, condition } = record.trial;
    const tasks = groups.get(configuration) ?? new Map<TaskId, TaskArmsDraft>();
    groups.set(configuration, tasks);
    const arms = tasks.get(task) ?? { task, noSkills: [], withSkills: [] };
    tasks.set(task, arms);
    arms[condition === 'no-skills' ? 'noSkills' : 'withSkills'].push(record);
  }
  return new Map([...groups].map(([name, tasks]) => [name, [...tasks.values()].map(sorted).sort(byTask)]));
}

/** The planned pairs of one task; a trial whose counterpart was not planned belongs to none. */
export function pairsOf(arms: TaskArms): readonly Pair[] {
  const counterparts = new Map(arms.withSkills.map((record) => [record.trial.index, record]));
  return arms.noSkills.flatMap((noSkills) => {
    const withSkills = counterparts.get(noSkills.trial.index);
    return withSkills === undefined ? [] : [{ key: pairKey(noSkills.trial), noSkills, withSkills }];
  });
}

/** What a pair lacks: its trials without a verdict, by name; `undefined` for a complete pair. */
export function incompletePair(pair: Pair): IncompletePair | undefined {
  const missing = [pair.noSkills, pair.withSkills].flatMap(({ trial, outcome }) =>
    outcome.kind === 'unscored' ? [{ trial: trial.id, reason: outcome.reason }] : [],
  );
  return missing.length === 0 ? undefined : { pair: pair.key, missing };
}

type TaskArmsDraft = { task: TaskId; noSkills: TrialRecord[]; withSkills: TrialRecord[] };

function sorted({ task, noSkills, withSkills }: TaskArmsDraft): TaskArms {
  return { task, noSkills: noSkills.sort(byIndex), withSkills: withSkills.sort(byIndex) };
}

function byIndex(a: TrialRecord, b: TrialRecord): number {
  return a.trial.index - b.trial.index;
}

function byTask(a: TaskArms, b: TaskArms): number {
  return byText(a.task, b.task);
}
