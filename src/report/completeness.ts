import type { ConfigurationFigures, Measurement } from '../model/measurement.ts';
import { formatCount, formatNames } from './format.ts';
import { cell } from './markdown-table.ts';

const MOST_NAMES = 3;

/**
 * Whether every planned trial has a verdict, as one sentence of Markdown. It may be quoted alone, so what weakens the
 * figures all the same (few tasks, no interval) is said in it.
 */
export function completeness({ publishable, configurations }: Measurement): string {
  if (!publishable.ok) {
    const [first = '', ...others] = publishable.reasons;
    return `**Not fit to publish:** ${cell(first)}${more(others.length)}.`;
  }
  const limits = [
    ...limit(configurations, 'descriptive (fewer than 8 tasks)', ({ descriptive }) => descriptive),
    ...limit(configurations, 'without a 95 % interval', ({ gainInterval }) => gainInterval === null),
  ];
  const but = limits.length === 0 ? '' : `; but the figures are ${limits.join(' and ')}`;
  return `Complete: every planned trial has a verdict${but}.`;
}

function limit(
  configurations: readonly ConfigurationFigures[],
  words: string,
  applies: (figures: ConfigurationFigures) => boolean,
): string[] {
  const names = configurations.filter(applies).map(({ configuration }) => cell(configuration));
  if (names.length === 0) return [];
  return [names.length === configurations.length ? words : `${words} for ${formatNames(names, MOST_NAMES)}`];
}

function more(count: number): string {
  if (count === 0) return '';
  return ` (and ${formatCount(count)} more ${count === 1 ? 'reason' : 'reasons'}, below)`;
}
