import type { ConfigurationFigures, Measurement } from '../model/measurement.ts';
import { formatCount, formatInterval, formatPoints } from './format.ts';

/** A range this much wider than the two figures is wider, not rounding. */
const ROUNDING = 1e-9;

/** Whether the gain can lie outside the two figures that count the unscored of both arms alike: then they bound nothing. */
export function isRangeWider({ gain, gainRange }: ConfigurationFigures): boolean {
  const { unscoredAsFailed, unscoredAsPassed } = gain;
  if (gainRange === null || unscoredAsFailed === null || unscoredAsPassed === null) return false;
  const span = Math.abs(unscoredAsFailed - unscoredAsPassed);
  return gainRange.high - gainRange.low > span + ROUNDING;
}

/**
 * For each configuration with trials without a verdict: the range its gain can lie in whatever their verdicts, beside
 * the two figures that count both arms alike. At most `most`, then how many more.
 */
export function gainRanges({ configurations }: Measurement, most: number): string[] {
  const unsure = configurations.filter(
    ({ arms, gainRange }) => gainRange !== null && arms.some(({ counts }) => counts.unscored > 0),
  );
  const left = unsure.length - most;
  return [
    ...unsure.slice(0, most).map(({ configuration, gain, gainRange }) => {
      const alike = `${formatPoints(gain.unscoredAsFailed)} as failed, ${formatPoints(gain.unscoredAsPassed)} as passed`;
      return `${configuration} ${formatInterval(gainRange)} (both arms counted alike: ${alike})`;
    }),
    ...(left > 0 ? [`and ${formatCount(left)} more`] : []),
  ];
}
