import type { Gates } from '../model/experiment.ts';
import { ConditionName, type ConfigurationName } from '../model/ids.ts';
import type { ImportedConfiguration } from '../model/imported-results.ts';
import type { Measurement } from '../model/measurement.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { RunRecord, TrialRecord } from '../model/run-record.ts';
import { armThatRanFirst } from './arm-order.ts';
import { armCounts, outcomesOf } from './arm-results.ts';
import { configurationFigures } from './configuration-figures.ts';
import { isControlHarness } from './control-harness.ts';
import { addedCounts, counts } from './counts.ts';
import { contaminatedTrials, gainedSkillTrials } from './doubtful-arms.ts';
import { gateResults } from './gates.ts';
import { overallFigures } from './macro-average.ts';
import {
  byText,
  type Contrast,
  groupByTask,
  incompletePair,
  pairsOf,
  type Results,
  type TaskArms,
} from './pairing.ts';
import { type PublishableInput, publishable } from './publishable.ts';
import { taskSlices } from './slice-keys.ts';

/** What the figures of a run are made of, beside its results. */
interface MeasuredLock extends Pick<RunLock, 'part' | 'tasks' | 'gates'> {
  readonly plan: Pick<RunLock['plan'], 'seed'>;
  readonly configurations: readonly ImportedConfiguration[];
  readonly experiment: { readonly models: Pick<ModelSettings, 'providers'> };
}

/** What measuring needs of a run: a whole {@link RunRecord} will do. */
export interface MeasureInput extends Results {
  readonly lock: MeasuredLock;
  readonly endedBy: RunRecord['endedBy'];
}

/** What every gain is over, and what it is first asked of. */
const BASELINE: ConditionName = 'no-skills';
const TREATMENT: ConditionName = 'with-skills';

/**
 * Every figure of a run. Pure: chance comes from the plan's seed alone, and the order of the trials changes no digit.
 * A trial without a verdict is counted as unscored, never as failed and never dropped.
 */
export function measure(record: MeasureInput): Measurement {
  const contrast: Contrast = { baseline: BASELINE, treatment: TREATMENT };
  const main = compared(record, contrast);
  const { configurations } = main;
  const others = otherTreatments(record).map((treatment) => ({ baseline: BASELINE, treatment }));
  const doubts = {
    contaminated: contaminatedTrials(record.trials),
    gained: gainedSkillTrials(record.trials),
  };
  const counted = addedCounts([
    counts(outcomesOf(record.trials)),
    ...(record.averages ?? []).map((average) => armCounts({ records: [], average })),
  ]);
  const incompletePairs = [contrast, ...others]
    .flatMap((one) => [...groupByTask(record, one).values()])
    .flatMap((tasks) => tasks.flatMap(pairsOf))
    .flatMap((pair) => incompletePair(pair) ?? [])
    .sort((a, b) => byText(a.pair, b.pair));
  return {
    schemaVersion: 1,
    counts: counted,
    ...main,
    ...(others.length === 0
      ? {}
      : { otherContrasts: others.map((other) => ({ ...other, ...compared(record, other) })) }),
    incompletePairs,
    publishable: publishable({
      counts: counted,
      configurations,
      incompletePairs,
      ...doubts,
      part: record.lock.part,
      hasMeansOnly: (record.averages ?? []).length > 0,
      endedBy: record.endedBy,
    }),
    gates: gateResults(gatesFor(record.lock), configurations),
    warnings: [
      ...partWarning(record.lock),
      ...orderWarnings(record.trials, configurations),
      ...doubtWarnings(doubts),
    ],
  };
}

/** Conditions that were tried beside the two, each a contrast of its own with the same baseline. */
function otherTreatments({ trials, averages = [] }: Results): ConditionName[] {
  const found = new Set<ConditionName>(
    [...trials.map(({ trial }) => trial), ...averages].map(({ condition }) => condition),
  );
  return ConditionName.options.filter((name) => name !== BASELINE && name !== TREATMENT && found.has(name));
}

function compared(record: MeasureInput, contrast: Contrast): Pick<Measurement, 'configurations' | 'overall'> {
  const groups = groupByTask(record, contrast);
  const metadata = new Map(record.lock.tasks.map((task) => [task.id as string, task.metadata]));
  const slices = taskSlices(record.lock.tasks);
  const { seed } = record.lock.plan;
  const configurations = namesInOrder(record, groups).map((configuration) =>
    configurationFigures({
      configuration,
      madeOf: madeOf(record, configuration),
      slices,
      contrast,
      control: isControlHarness(madeOf(record, configuration).harness ?? ''),
      tasks: groups.get(configuration) ?? [],
      metadata,
      providers: record.lock.experiment.models.providers,
      seed,
    }),
  );
  return { configurations, overall: overallFigures(configurations, slices, seed) };
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

function madeOf(
  { lock }: MeasureInput,
  name: ConfigurationName,
): Pick<ImportedConfiguration, 'harness' | 'model'> {
  const found = lock.configurations.find((candidate) => candidate.name === name);
  return {
    ...(found?.harness === undefined ? {} : { harness: found.harness }),
    ...(found?.model === undefined ? {} : { model: found.model }),
  };
}

function orderWarnings(
  trials: readonly TrialRecord[],
  configurations: Measurement['configurations'],
): string[] {
  const byConfiguration = Map.groupBy(trials, (record) => record.trial.configuration);
  return configurations.flatMap((figures) => {
    const { configuration } = figures;
    const first = armThatRanFirst(byConfiguration.get(configuration) ?? [], figures);
    return first === undefined
      ? []
      : [`${configuration}: order is confounded with arm: nearly all ${first} trials ran before the others`];
  });
}

function doubtWarnings({
  contaminated,
  gained,
}: Pick<PublishableInput, 'contaminated' | 'gained'>): string[] {
  return [
    ...contaminated.map((id) => `${id}: a Skill was used in the no-skills arm, so its pair proves nothing`),
    ...gained.map((id) => `${id}: a Skill was found after the agent where there was none before`),
  ];
}
