import type { Measurement } from '../model/measurement.ts';
import type { OverallFigures } from '../model/overall-figures.ts';
import { firstRows } from './first-rows.ts';
import { formatCount, formatInterval, formatMany, formatNames, formatPoints, formatRate } from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

const MOST_NAMES = 20;
const MOST_ROWS = 100;

/** The averages over configurations as one sentence for people. */
export function overallSentence({ overall, configurations }: Measurement): string {
  const { value, defined } = overall.meanNormalizedGain;
  const gains = configurations
    .filter(({ configuration }) => !overall.leftOut.includes(configuration))
    .flatMap(({ gain }) => gain.value ?? []);
  const range =
    gains.length < 2
      ? ''
      : `; configuration gains ${formatPoints(Math.min(...gains))} to ${formatPoints(Math.max(...gains))}`;
  return `Over ${formatMany(overall.configurations, 'configuration')} and ${formatMany(overall.tasks.length, 'task')} (macro average): ${formatRate(overall.baseline)} without, ${formatRate(overall.treatment)} with, gain ${formatPoints(overall.gain)}${intervalText(overall)}; normalized gain ${formatRate(value)} (per configuration, then averaged; defined in ${formatCount(defined)}) and ${formatRate(overall.normalizedGainOfMeans)} (of the averages)${range}.`;
}

function intervalText({ gainInterval }: OverallFigures): string {
  return gainInterval === null ? '' : ` (95 % ${formatInterval(gainInterval)})`;
}

/** What tasks came to over configurations: those that stand out by name, then all, by gain. Nothing for a single configuration. */
export function overallTasks({ overall }: Measurement): string[] {
  if (overall.configurations < 2) return [];
  const rows = overall.tasks.toSorted((a, b) => (b.gain ?? -2) - (a.gain ?? -2));
  const row = ({ task, configurations, baseline, treatment, gain }: (typeof rows)[number]) => [
    cell(task),
    formatRate(baseline),
    formatRate(treatment),
    formatPoints(gain),
    formatCount(configurations),
  ];
  const left = firstRows(rows, () => '', { most: MOST_ROWS, where: 'measurement.json' }).slice(MOST_ROWS);
  return [
    ...standouts(overall).map((line) => `- ${line}`),
    '',
    ...markdownTable(
      ['task', 'without', 'with', 'gain', 'configurations'],
      rows.slice(0, MOST_ROWS).map(row),
    ),
    ...(left.length === 0 ? [] : ['', ...left]),
  ];
}

/** One line each: negative tasks, the ten largest gains, tasks that nobody or everybody solves. */
function standouts(overall: OverallFigures): string[] {
  const gains = new Map(overall.tasks.map(({ task, gain }) => [task, gain]));
  const negative = overall.negativeTasks.map(
    (task) => `${cell(task)} (${formatPoints(gains.get(task) ?? null)})`,
  );
  const [worst] = overall.negativeTasks;
  return [
    worst === undefined
      ? 'no task has a negative gain'
      : `${formatMany(negative.length, 'task')} with negative gain, the worst ${formatPoints(gains.get(worst) ?? null)}: ${formatNames(negative, MOST_NAMES)}`,
    ...(overall.meanOfTenLargestGains === null
      ? []
      : [`mean of the ten largest task gains: ${formatPoints(overall.meanOfTenLargestGains)}`]),
    `tasks that no trial passed, in either arm and any configuration: ${namesOf(overall.nobodySolves)}`,
    `tasks that every trial passed: ${namesOf(overall.everybodySolves)}`,
  ];
}

function namesOf(tasks: readonly string[]): string {
  return tasks.length === 0 ? 'none' : `${tasks.length} (${formatNames(tasks.map(cell), MOST_NAMES)})`;
}
