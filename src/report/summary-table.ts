import Table from 'cli-table3';
import type { ArmFigures, Bounded, ConfigurationFigures, Measurement } from '../model/measurement.ts';
import type { Reportable } from '../model/run-record.ts';
import { countsLine } from './counts-line.ts';
import {
  formatBounds,
  formatCount,
  formatInterval,
  formatMany,
  formatNames,
  formatPlainPoints,
  formatPoints,
  formatRate,
} from './format.ts';
import { gainRanges, isRangeWider } from './gain-range.ts';
import { gateMessage } from './gate-message.ts';
import { nextCommand, unscoredNames } from './next-command.ts';
import type { ReportOptions } from './report-options.ts';

/** With more configurations each gets one line instead of two. */
const MOST_TALL_ROWS = 6;
/** With more the table would leave the screen; the rest is in report.md. */
const MOST_ROWS = 9;
const MOST_NAMES = 3;
/** Longer names go on in the next line, so that the table keeps to 80 columns. */
const NAME_WIDTH = 15;
const LOW_NAME_WIDTH = 27;
const HEAD = ['configuration', 'without', 'with', 'gain', 'normalized', 'pairs'];
const LOW_HEAD = ['configuration', 'without %', 'with %', 'gain pp', '95 % interval', 'norm. %'];
/** Lines without borders: cli-table3's own would double the height and need a Unicode terminal. */
const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/**
 * What a run came to, for a terminal of 80 columns and 24 lines, in ASCII: the second line of a row has the bounds
 * (unscored as failed .. as passed) and the interval of the gain. Only figures of the measurement are printed.
 */
export function renderSummary(record: Reportable, measurement: Measurement, options: ReportOptions): string {
  const isLow = measurement.configurations.length > MOST_TALL_ROWS;
  const table = new Table({
    head: isLow ? LOW_HEAD : HEAD,
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
  });
  const ordered = isLow ? bestFirst(measurement.configurations) : measurement.configurations;
  const shown = ordered.slice(0, MOST_ROWS);
  for (const figures of shown) table.push(isLow ? lowRow(figures) : tableRow(figures));
  const left = measurement.configurations.length - shown.length;
  const lines = [
    ...(shown.length === 0 ? ['no trial was selected'] : trimmed(table.toString())),
    ...(left > 0 ? [`... and ${left} more configurations, in report.md`] : []),
    ...overallLines(measurement),
    ...legend(measurement, isLow),
    ...scriptedLine(measurement),
    ...verdictLines(record, measurement),
    ...measurement.warnings.slice(0, MOST_NAMES).map((warning) => `warning: ${warning}`),
    `report: ${options.reportsPath ?? `${options.runPath}/reports`}/report.md`,
    ...[nextCommand(record, measurement, options) ?? []].flat().map((command) => `next: ${command}`),
  ];
  return `${lines.join('\n')}\n`;
}

function tableRow(figures: ConfigurationFigures): string[] {
  const { arms, gain, gainInterval, normalizedGain, pairs } = figures;
  const without = arms.find((arm) => arm.condition === 'no-skills');
  const treatment = arms.find((arm) => arm.condition === 'with-skills');
  return [
    inLines(figures.configuration, NAME_WIDTH),
    armCell(without),
    armCell(treatment),
    `${formatPoints(gain.value)}\n${formatInterval(gainInterval)}`,
    `${formatRate(normalizedGain.value)}\n${isRangeWider(figures) ? 'range below' : boundsText(normalizedGain)}`,
    `${formatCount(pairs.complete)} of ${formatCount(pairs.planned)}\n${arms.map(unscoredShare).join(' ')}`,
  ];
}

/** What the design could have shown; said where it fits on the screen. */
function detectable({ configurations }: Measurement): string[] {
  const found = configurations.flatMap(({ configuration, detectableGain }) =>
    detectableGain === null ? [] : [`${configuration} ${formatPlainPoints(detectableGain)}`],
  );
  return found.length === 0 || found.length > MOST_NAMES
    ? []
    : [`smallest gain found in 80 of 100 such runs: ${found.join(', ')}`];
}

/** A table of many is read as a leaderboard: by the rate with Skills. */
function bestFirst(configurations: readonly ConfigurationFigures[]): ConfigurationFigures[] {
  const rate = (figures: ConfigurationFigures) => rateOf(figures, figures.treatment) ?? -1;
  return configurations.toSorted((a, b) => rate(b) - rate(a));
}

function lowRow(figures: ConfigurationFigures): string[] {
  const { baseline, treatment, gain, gainInterval, normalizedGain } = figures;
  const bare = (text: string) => text.replace(/ (?:%|pp)$/, '');
  return [
    inLines(figures.configuration, LOW_NAME_WIDTH),
    bare(formatRate(rateOf(figures, baseline))),
    bare(formatRate(rateOf(figures, treatment))),
    bare(formatPoints(gain.value)),
    formatInterval(gainInterval),
    bare(formatRate(normalizedGain.value)),
  ];
}

function overallLines({ overall }: Measurement): string[] {
  if (overall.configurations < 2) return [];
  const { configurations, tasks, baseline, treatment, gain } = overall;
  const [worst] = overall.negativeTasks;
  const worstGain = tasks.find(({ task }) => task === worst)?.gain ?? null;
  return [
    `over ${formatMany(configurations, 'configuration')} and ${formatMany(tasks.length, 'task')}: ${formatRate(baseline)} without, ${formatRate(treatment)} with, ${formatPoints(gain)}${overall.gainInterval === null ? '' : ` ${formatInterval(overall.gainInterval)}`}`,
    `normalized gain: ${formatRate(overall.meanNormalizedGain.value)} per configuration, then averaged; ${formatRate(overall.normalizedGainOfMeans)} of the averages`,
    ...(worst === undefined
      ? []
      : [
          `${formatMany(overall.negativeTasks.length, 'task')} with negative gain over all, the worst ${worst} ${formatPoints(worstGain)}`,
        ]),
  ];
}

function rateOf({ arms }: ConfigurationFigures, condition: string): number | null {
  return arms.find((arm) => arm.condition === condition)?.passRate.value ?? null;
}

function unscoredShare({ counts }: ArmFigures): string {
  return `${counts.unscored}/${counts.planned}`;
}

function legend(measurement: Measurement, isLow: boolean): string[] {
  const { configurations } = measurement;
  const ranges = gainRanges(measurement, MOST_NAMES);
  const few = configurations.filter((figures) => figures.descriptive).map((figures) => figures.configuration);
  return [
    ...(isLow ? [] : ['(below: bounds, unscored as failed..as passed; 95 % interval; unscored per arm)']),
    ...detectable(measurement),
    ...(ranges.length > 0 ? [`gain can lie in: ${ranges.join('; ')}`] : []),
    ...(few.length > 0 ? [`descriptive, fewer than 8 tasks: ${formatNames(few, MOST_NAMES)}`] : []),
  ];
}

function scriptedLine({ configurations }: Measurement): string[] {
  const isScripted = configurations.some(({ models = [] }) =>
    models.some(({ modes }) => modes.includes('scripted')),
  );
  return isScripted
    ? ["models: scripted; these figures are a script's, no model's, and not for publishing"]
    : [];
}

function inLines(name: string, width: number): string {
  return name.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? name;
}

function armCell(arm: ArmFigures | undefined): string {
  return arm === undefined ? 'not planned' : rateCell(arm.passRate);
}

function rateCell(rate: Bounded): string {
  return `${formatRate(rate.value)}\n${boundsText(rate)}`;
}

function boundsText({ unscoredAsFailed, unscoredAsPassed }: Bounded): string {
  return formatBounds(unscoredAsFailed, unscoredAsPassed);
}

function verdictLines(record: Reportable, measurement: Measurement): string[] {
  const { counts, configurations, gates, publishable } = measurement;
  const names = unscoredNames(record);
  const regressions = configurations.flatMap(({ configuration, regressions: tasks }) =>
    tasks.map((task) => `${task} (${configuration})`),
  );
  const [firstReason] = publishable.reasons;
  return [
    countsLine(record, counts),
    ...(names.length > 0 ? [`without a verdict: ${formatNames(names, MOST_NAMES)}`] : []),
    ...(regressions.length > 0 ? [`worse with Skills: ${formatNames(regressions, MOST_NAMES)}`] : []),
    ...gates
      .filter((gate) => gate.state !== 'held')
      .slice(0, MOST_NAMES)
      .map((gate) => `gate ${gate.state}: ${gate.configuration}: ${gateMessage(gate)}`),
    ...(firstReason === undefined ? [] : [`not fit to publish: ${firstReason}`]),
  ];
}

function trimmed(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
