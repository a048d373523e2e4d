import type { ConfigurationFigures, Counts, Measurement } from '../model/measurement.ts';
import {
  formatBounds,
  formatCount,
  formatInterval,
  formatPoints,
  formatRate,
  formatReasons,
} from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

/** Counts, coverage and rates of every arm, then every bound of the gain. */
export function denominators({ configurations }: Measurement): string[] {
  const head = [
    'configuration',
    'arm',
    'planned',
    'scored',
    'unscored',
    'coverage',
    'passed',
    'rate',
    'unscored as failed .. passed',
  ];
  const arms = configurations.flatMap(({ configuration, arms }) =>
    arms.map(({ condition, counts, coverage, passed, passRate }) => [
      cell(configuration),
      condition,
      formatCount(counts.planned),
      formatCount(counts.scored),
      coverage === null && counts.planned > 0 ? 'unknown' : unscoredText(counts),
      formatRate(coverage),
      passed === null ? 'unknown' : formatCount(passed),
      formatRate(passRate.value),
      formatBounds(passRate.unscoredAsFailed, passRate.unscoredAsPassed),
    ]),
  );
  return [...markdownTable(head, arms), '', ...markdownTable(BOUNDS_HEAD, configurations.map(boundsRow))];
}

function unscoredText(counts: Counts): string {
  return `${formatCount(counts.unscored)}${counts.unscored > 0 ? ` (${formatReasons(counts)})` : ''}`;
}

const BOUNDS_HEAD = [
  'configuration',
  'gain, unscored failed / passed, both arms counted alike',
  'gain can lie in',
  'gain of complete pairs',
  'normalized, unscored failed / passed, both arms counted alike',
  "mean of tasks' normalized gains",
];

function boundsRow(figures: ConfigurationFigures): string[] {
  const { configuration, arms, gain, gainRange, gainOfCompletePairs, normalizedGain } = figures;
  const { value, defined, undefinedTasks } = figures.meanTaskNormalizedGain;
  const isPaired = arms.length > 1;
  return [
    cell(configuration),
    `${formatPoints(gain.unscoredAsFailed)} / ${formatPoints(gain.unscoredAsPassed)}`,
    formatInterval(gainRange),
    formatPoints(gainOfCompletePairs),
    `${formatRate(normalizedGain.unscoredAsFailed)} / ${formatRate(normalizedGain.unscoredAsPassed)}`,
    isPaired
      ? `${formatRate(value)} over ${defined}, undefined in ${undefinedTasks}`
      : 'not defined: one arm',
  ];
}
