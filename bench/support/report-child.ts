/**
 * One half of the report benchmark, as a process whose memory is its own: `write <dir> <size>` makes a run folder,
 * `report <dir>` reads it, measures it and writes every report. The answer is one line of JSON.
 */

import { reportRun } from '../../src/cli/reporting.ts';
import { renderSummary } from '../../src/report/summary-table.ts';
import { timed } from './figure.ts';
import { writeRunFolder } from './write-run-folder.ts';

/** What a child tells. Peak memory is the process's whole resident set. */
export interface ReportAnswer {
  readonly trials: number;
  readonly durationMs: number;
  readonly peakBytes: number;
}

async function answer([what, dir = '', size = '0']: readonly string[]): Promise<ReportAnswer> {
  let trials = 0;
  const durationMs = await timed(async () => {
    if (what === 'write') trials = await writeRunFolder(dir, Number(size));
    else {
      const { record, measurement, options } = await reportRun(dir, { cwd: dir, junitBaseline: 'failure' });
      renderSummary(record, measurement, options);
      trials = measurement.counts.planned;
    }
  });
  return { trials, durationMs, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

process.stdout.write(JSON.stringify(await answer(process.argv.slice(2))));
