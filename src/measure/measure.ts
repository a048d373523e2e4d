import type { Gates } from '../model/experiment.ts';
import type { ConfigurationName } from '../model/ids.ts';
import type { Measurement } from '../model/measurement.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { RunRecord, TrialRecord } from '../model/run-record.ts';
import { armThatRanFirst } from './arm-order.ts';
import { configurationFigures } from './configuration-figures.ts';
import { counts } from './counts.ts';
import { contaminatedTrials, gainedSkillTrials } from './doubtful-arms.ts';
import { gateResults } from './gates.ts';
import { overallFigures } from './macro-average.ts';
import { byText, groupByTask, incompletePair, pairsOf, type TaskArms } from './pairing.ts';
import { type PublishableInput, publishable } from './publishable.ts';
import { outcomesOf } from './task-figures.ts';

/** Harnesses that stand outside the comparison: one runs the solution, one does nothing. */
const CONTROL_HARNESSES: readonly string[] = ['oracle', 'nop'];

/** What measuring needs of a run: a whole {@link RunRecord} will do. */
export interface MeasureInput {
  readonly lock: Pick<RunLock, 'plan' | 'part' | 'tasks' | 'configurations' | 'gates' | 'experiment'>;
  readonly trials: readonly TrialRecord[];
  readonly endedBy: RunRecord['endedBy'];
}

/**
 * Every figure of a run. Pure: chance comes from the plan's seed alone, and the order of the trials changes no digit.
 * A trial without a verdict is counted as unscored, never as failed and never dropped.
 */
export function measure(record: MeasureInput): Measurement {
  const groups = groupByTask(record.trials);
  const metadata = new Map(record.lock.tasks.map((task) => [task.id as string, task.metadata]));
  const configurations = namesInOrder(record, groups).map((configuration) =>
    configurationFigures({
      configuration,
      control: isControl(record, configuration),
      tasks: groups.get(configuration) ?? [],
      metadata,
      providers: record.lock.experiment.models.providers,
      seed: record.lock.plan.seed,
    }),
  );
  const doubts = {
    contaminated: contaminatedTrials(record.trials),
    gained: gainedSkillTrials(record.trials),
  };
  const counted = counts(outcomesOf(record.trials));
  const incompletePairs = [...groups.values()]
    .flatMap((tasks) => tasks.flatMap(pairsOf))
    .flatMap((pair) => incompletePair(pair) ?? [])
    .sort((a, b) => byText(a.pair, b.pair));
  return {
    schemaVersion: 1,
    counts: counted,
    configurations,
    overall: overallFigures(configurations),
    incompletePairs,
    publishable: publishable({
      counts: counted,
      configurations,
      incompletePairs,
      ...doubts,
      part: record.lock.part,
      endedBy: record.endedBy,
    }),
    gates: gateResults(gatesFor(record.lock), configurations),
    warnings: [...partWarning(record.lock), ...warnings(record.trials, configurations, doubts)],
  };
}

/** As the lock lists them, then any others by name: never by the order of the records. */
function namesInOrder(
  { lock }: MeasureInput,
  groups: ReadonlyMap<ConfigurationName, readonly TaskArms[]>,
): ConfigurationName[] {
  const locked = lock.configurations.map((configuration) => configuration.name);
  const others = [...groups.keys()].filter((name) => !locked.includes(name)).sort(byText);
  return [...locked.filter((name) => groups.has(name)), ...others];
}

/** Gain and pass rate of an experiment cannot be read off a part of it; coverage is about what was planned. */
function gatesFor({ part, gates }: MeasureInput['lock']): Gates {
  return part.length === 0 ? gates : { minCoverage: gates.minCoverage };
}

function partWarning({ part, gates }: MeasureInput['lock']): string[] {
  if (part.length === 0) return [];
  const left = gates.minGain === undefined && gates.minPassRate === undefined;
  const gatesNote = left ? '' : '; gates on gain and pass rate are not evaluated on a part';
  return [`only a part of the experiment was run: ${part.join(', ')}${gatesNote}`];
}

function isControl({ lock }: MeasureInput, name: ConfigurationName): boolean {
  const configuration = lock.configurations.find((candidate) => candidate.name === name);
  return configuration !== undefined && CONTROL_HARNESSES.includes(configuration.harness);
}

function warnings(
  trials: readonly TrialRecord[],
  configurations: Measurement['configurations'],
  { contaminated, gained }: Pick<PublishableInput, 'contaminated' | 'gained'>,
): string[] {
  const byConfiguration = Map.groupBy(trials, (record) => record.trial.configuration);
  const order = configurations.flatMap(({ configuration }) => {
    const first = armThatRanFirst(byConfiguration.get(configuration) ?? []);
    return first === undefined
      ? []
      : [`${configuration}: order is confounded with arm: nearly all ${first} trials ran before the others`];
  });
  return [
    ...order,
    ...contaminated.map((id) => `${id}: a Skill was used in the no-skills arm, so its pair proves nothing`),
    ...gained.map((id) => `${id}: a Skill was found after the agent where there was none before`),
  ];
}
