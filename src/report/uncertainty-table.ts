import type { ConfigurationFigures, Measurement } from '../model/measurement.ts';
import type { Interval, SignFlipTest } from '../model/uncertainty.ts';
import { formatBounds, formatInterval, formatPlainPoints, formatProbability } from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

const HEAD = [
  'configuration',
  'without, 95 %',
  'with, 95 %',
  'gain, 95 %',
  'normalized gain, 95 %',
  'sign-flip p',
  'detectable gain',
  'trial sd',
  'gain sd by luck / by task',
];

/** How sure the figures are: intervals, test, noise, and the smallest gain that such an experiment finds. */
export function uncertaintyTable({ configurations, overall }: Measurement): string[] {
  const rows = configurations.filter(({ gainInterval }) => gainInterval !== null).map(row);
  const averages =
    overall.configurations > 1 && overall.gainInterval !== null
      ? [
          [
            `average of ${overall.configurations}`,
            rateText(overall.baselineInterval),
            rateText(overall.treatmentInterval),
            formatInterval(overall.gainInterval),
            rateText(overall.meanNormalizedGainInterval),
            testText(overall.signFlip),
            ...['', '', ''],
          ],
        ]
      : [];
  return markdownTable(HEAD, [...averages, ...rows]);
}

function row(figures: ConfigurationFigures): string[] {
  const { arms, baseline, treatment, gainInterval, normalizedGainInterval, noise, detectableGain } = figures;
  const interval = (condition: string) =>
    rateText(arms.find((arm) => arm.condition === condition)?.passRateInterval ?? null);
  const luck =
    noise === null
      ? 'not repeated'
      : `${formatPlainPoints(noise.gainSdByLuck)} / ${formatPlainPoints(noise.gainSdByTask)}`;
  return [
    cell(figures.configuration),
    interval(baseline),
    interval(treatment),
    formatInterval(gainInterval),
    rateText(normalizedGainInterval),
    testText(figures.signFlip),
    formatPlainPoints(detectableGain),
    formatPlainPoints(noise?.trialSd ?? null),
    luck,
  ];
}

function rateText(interval: Interval | null): string {
  return interval === null ? 'n/a' : formatBounds(interval.low, interval.high);
}

function testText(test: SignFlipTest | null): string {
  return test === null ? 'no test' : formatProbability(test.pValue);
}
