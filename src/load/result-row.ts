import { ConditionName, ConfigurationName, TaskId } from '../model/ids.ts';
import type { ImportedConfiguration, ImportedTrial, TrialAverage } from '../model/imported-results.ts';
import { UnscoredReason } from '../model/outcome.ts';
import { didYouMean } from './did-you-mean.ts';
import type { CsvRow } from './read-csv.ts';

/** Means are rounded by who wrote them: to three decimals, the worst that was seen. */
const ROUNDED = 0.002;
const MOST_TRIALS = 1_000_000;

/** What is wrong with a row. */
export interface RowFault {
  readonly message: string;
  readonly repair: string;
}

/** What a row says. */
export interface ReadRow {
  readonly result: TrialAverage | ImportedTrial;
  readonly configuration: ImportedConfiguration;
}

/** A row of means, and what is wrong with it; without a fault there is a value. */
export function readAverage(row: CsvRow, faults: RowFault[]): ReadRow | undefined {
  const common = readCommon(row, faults);
  const trials = positive(row, 'trials', faults);
  const meanReward = share(row, 'mean_reward', faults);
  const passes = row.cell('passes') === '' ? undefined : count(row, 'passes', faults);
  if (common === undefined || trials === undefined || meanReward === undefined) return undefined;
  const room = Math.floor(trials * (meanReward + ROUNDED));
  if (passes !== undefined && passes > room) {
    const message = `passes is ${passes}, but a mean of ${meanReward} over ${trials} trials leaves room for ${room}`;
    faults.push({ message, repair: 'correct passes, trials or mean_reward' });
  }
  const { configuration, ...keys } = common;
  const result = { ...keys, configuration: configuration.name, trials, meanReward };
  return { configuration, result: passes === undefined ? result : { ...result, passes } };
}

/** A row of one trial, and what is wrong with it; without a fault there is a value. A cell without a reward: there is no verdict. */
export function readTrial(row: CsvRow, faults: RowFault[]): ReadRow | undefined {
  const common = readCommon(row, faults);
  const index = positive(row, 'index', faults);
  const reward = row.cell('reward') === '' ? undefined : share(row, 'reward', faults);
  const reason = row.cell('reward') === '' ? readReason(row, faults) : undefined;
  if (common === undefined || index === undefined) return undefined;
  const { configuration, ...keys } = common;
  const result = { ...keys, configuration: configuration.name, index };
  if (reward !== undefined) return { configuration, result: { ...result, reward } };
  return { configuration, result: reason === undefined ? result : { ...result, reason } };
}

/** What no other row of the table may say too. */
export function resultKey(result: TrialAverage | ImportedTrial): string {
  const { task, condition, configuration } = result;
  const index = 'index' in result ? `, trial ${result.index}` : '';
  return `${task}, ${condition}, ${configuration}${index}`;
}

interface Common extends Pick<TrialAverage, 'task' | 'condition'> {
  readonly configuration: ImportedConfiguration;
}

function readCommon(row: CsvRow, faults: RowFault[]): Common | undefined {
  const task = TaskId.safeParse(row.cell('task'));
  const condition = ConditionName.safeParse(row.cell('condition'));
  const configuration = readConfiguration(row, faults);
  if (!task.success)
    faults.push({
      message: `"${row.cell('task')}" cannot be a task id`,
      repair: 'write at most 100 letters, digits, "-", "_" and inner dots',
    });
  if (!condition.success)
    faults.push({
      message: `there is no condition "${row.cell('condition')}"`,
      repair: didYouMean(row.cell('condition'), ConditionName.options),
    });
  if (!task.success || !condition.success || configuration === undefined) return undefined;
  return { task: task.data, condition: condition.data, configuration };
}

/** By name; or named after harness and model, with `-` for what a name may not hold. */
function readConfiguration(row: CsvRow, faults: RowFault[]): ImportedConfiguration | undefined {
  const [given, harness, model] = [row.cell('configuration'), row.cell('harness'), row.cell('model')];
  const made = [harness, model].filter((part) => part !== '').map(nameable);
  const name = ConfigurationName.safeParse(given === '' ? made.join('@') : given);
  if (name.success)
    return {
      name: name.data,
      ...(harness === '' ? {} : { harness }),
      ...(model === '' ? {} : { model }),
    };
  const from = given === '' ? `harness "${harness}" and model "${model}"` : `"${given}"`;
  faults.push({
    message: `${from} cannot name a configuration`,
    repair: 'write at most 100 letters and digits; a name may hold "._@+-" too',
  });
  return undefined;
}

function nameable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._+-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '');
}

function readReason(row: CsvRow, faults: RowFault[]): UnscoredReason | undefined {
  if (row.cell('reason') === '') return undefined;
  const reason = UnscoredReason.safeParse(row.cell('reason'));
  if (reason.success) return reason.data;
  const message = `"${row.cell('reason')}" is no reason for a missing verdict`;
  faults.push({
    message,
    repair: `${didYouMean(row.cell('reason'), UnscoredReason.options)} or leave it empty`,
  });
  return undefined;
}

function share(row: CsvRow, column: string, faults: RowFault[]): number | undefined {
  const value = decimal(row.cell(column));
  if (value !== undefined && value >= 0 && value <= 1) return value;
  const message = `${column} is "${row.cell(column)}", not a number from 0 to 1`;
  faults.push({ message, repair: 'write it like 0.667, with a point; divide percentages by 100' });
  return undefined;
}

function positive(row: CsvRow, column: string, faults: RowFault[]): number | undefined {
  const value = count(row, column, faults);
  if (value !== 0) return value;
  faults.push({ message: `${column} is 0`, repair: 'write a number from 1, or leave the row out' });
  return undefined;
}

function count(row: CsvRow, column: string, faults: RowFault[]): number | undefined {
  const value = decimal(row.cell(column));
  if (value !== undefined && Number.isInteger(value) && value <= MOST_TRIALS) return value;
  const message = `${column} is "${row.cell(column)}", not a whole number`;
  faults.push({ message, repair: 'write it in digits alone' });
  return undefined;
}

/** Digits with a point, or in scientific notation; never hexadecimal, a sign or a blank, which `Number` takes too. */
function decimal(text: string): number | undefined {
  return /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}
