import type { Counts } from '../model/measurement.ts';
import { isImport, type Reportable } from '../model/run-record.ts';
import { formatCount, formatMany, formatReasons } from './format.ts';

/** What became of the planned trials, in one line; of imported means no more is known than of how many trials they are. */
export function countsLine(record: Reportable, counts: Counts): string {
  if (hasMeansOnly(record))
    return `means of ${formatMany(counts.planned, 'trial')}; how many of them had a verdict is not known`;
  return `planned ${formatCount(counts.planned)} = scored ${formatCount(counts.scored)} + unscored ${formatCount(counts.unscored)}; unscored: ${formatReasons(counts)}`;
}

function hasMeansOnly(record: Reportable): boolean {
  return isImport(record) && record.imported.results.kind === 'averages';
}
