import type { ComparedConfiguration, ComparedFigure, ComparedTask, Comparison } from '../model/comparison.ts';
import {
  formatCount,
  formatInterval,
  formatNames,
  formatPoints,
  formatProbability,
  formatRate,
} from './format.ts';
import { plainLine } from './plain-text.ts';
import { textColumns } from './text-columns.ts';

/** Lines of one kind that a terminal shows; all are in `--json`. */
const MOST_LINES = 20;
const MOST_NAMES = 10;
const ORDER = ['lost', 'lower', 'won', 'higher'] as const;

/** What moved between two runs, next to what changed, for a terminal: lines without an end. */
export function renderComparison(comparison: Comparison): string {
  const { before, after, configurations } = comparison;
  return [
    `${plainLine(before)} -> ${plainLine(after)}`,
    '',
    textColumns(
      ['configuration', 'figure', 'before', 'after', 'change pp', '95 % interval', 'p', 'tasks'],
      configurations.flatMap(figureRows),
    ),
    '',
    ...ORDER.flatMap((movement) => movedLines(configurations, movement)),
    ...unmovedLines(configurations),
    ...apartLines(comparison),
    ...changedLines(comparison),
  ].join('\n');
}

/** A configuration, by both names where it has two. */
export function configurationText({ before, after }: ComparedConfiguration): string {
  return before === after ? plainLine(before) : `${plainLine(before)} -> ${plainLine(after)}`;
}

function figureRows(configuration: ComparedConfiguration): string[][] {
  const name = configurationText(configuration);
  const arms = configuration.arms
    .filter(({ figure }) => figure.tasks > 0)
    .map(({ condition, figure }) => figureRow([name, condition], figure, formatRate));
  const gain =
    configuration.gain.tasks > 0 ? [figureRow([name, 'gain'], configuration.gain, formatPoints)] : [];
  return [...arms, ...gain];
}

function figureRow(
  names: readonly string[],
  { before, after, change, interval, signFlip, tasks }: ComparedFigure,
  format: (value: number | null) => string,
): string[] {
  return [
    ...names,
    format(before),
    format(after),
    formatPoints(change),
    formatInterval(interval),
    signFlip === null ? 'no test' : formatProbability(signFlip.pValue),
    String(tasks),
  ];
}

function movedLines(
  configurations: readonly ComparedConfiguration[],
  movement: (typeof ORDER)[number],
): string[] {
  const lines = configurations.flatMap((configuration) =>
    configuration.tasks
      .filter((task) => task.movement === movement)
      .map((task) => `  ${taskText(configuration, task)}`),
  );
  if (lines.length === 0) return [];
  const left = lines.length - MOST_LINES;
  return [
    `${movement} (${lines.length}):`,
    ...lines.slice(0, MOST_LINES),
    ...(left > 0 ? [`  ... and ${left} more, in --json`] : []),
  ];
}

function taskText(
  configuration: ComparedConfiguration,
  { task, condition, before, after, unsteady }: ComparedTask,
): string {
  const rates = `${formatRate(before.rate)} of ${before.scored} -> ${formatRate(after.rate)} of ${after.scored}`;
  const chance = unsteady ? '; its trials disagree, so this may be chance' : '';
  return `${configurationText(configuration)}, ${condition}, ${plainLine(task)}: ${rates}${chance}`;
}

function unmovedLines(configurations: readonly ComparedConfiguration[]): string[] {
  const tasks = configurations.flatMap((configuration) =>
    configuration.tasks.map((task) => ({ ...task, configuration: configurationText(configuration) })),
  );
  const same = tasks.filter(({ movement }) => movement === 'same').length;
  const inconclusive = tasks.filter(({ movement }) => movement === 'inconclusive');
  const names = inconclusive.map(
    ({ configuration, condition, task }) => `${configuration}/${condition}/${plainLine(task)}`,
  );
  return [
    `same: ${same} of ${formatCount(tasks.length)} tasks and arms`,
    ...(names.length === 0
      ? []
      : [`inconclusive, without a verdict in one run: ${formatNames(names, MOST_NAMES)}`]),
  ];
}

function apartLines({ otherTasks, onlyBefore, onlyAfter }: Comparison): string[] {
  const line = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${formatNames(names.map(plainLine), MOST_NAMES)}`];
  return [
    ...line('not compared, since their files differ', otherTasks),
    ...line('tasks only before', onlyBefore.tasks),
    ...line('tasks only after', onlyAfter.tasks),
    ...line('configurations only before', onlyBefore.configurations),
    ...line('configurations only after', onlyAfter.configurations),
  ];
}

function changedLines({ changed }: Comparison): string[] {
  if (changed.length === 0) return ['changed: nothing that is recorded'];
  const left = changed.length - MOST_LINES;
  return [
    'changed:',
    ...changed.slice(0, MOST_LINES).map((line) => `  ${plainLine(line)}`),
    ...(left > 0 ? [`  ... and ${left} more, in --json`] : []),
  ];
}
