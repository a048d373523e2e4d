import { join, relative, sep } from 'node:path';
import { measureReportable } from '../measure/measure-reportable.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Reportable } from '../model/run-record.ts';
import { DiskError, isDiskRefusal } from '../record/disk-error.ts';
import { readReportable } from '../record/import-folder.ts';
import { renderReports } from '../report/render-reports.ts';
import type { ReportOptions } from '../report/report-options.ts';
import { writeReports } from '../report/write-reports.ts';

/** What came of reporting: the figures, what they come from, and where the files are. */
export interface Reported {
  readonly record: Reportable;
  readonly measurement: Measurement;
  readonly options: ReportOptions;
  readonly outDir: string;
}

/** A run read back from its folder, measured, and its reports written. Needs no engine. */
export async function reportRun(
  runDir: string,
  from: {
    readonly cwd: string;
    readonly out?: string;
    readonly junitBaseline: 'failure' | 'pass-with-note';
  },
): Promise<Reported> {
  const record = await readReportable(runDir);
  const measurement = measureReportable(record);
  const outDir = from.out ?? join(runDir, 'reports');
  const runPath = relative(from.cwd, runDir).split(sep).join('/');
  const reports = from.out === undefined ? {} : { reportsPath: from.out };
  const options: ReportOptions = { runPath, ...reports, junitBaseline: from.junitBaseline };
  await writeReports(outDir, renderReports(record, measurement, options)).catch((cause: unknown) => {
    throw isDiskRefusal(cause) ? new DiskError(outDir, { cause }) : cause;
  });
  return { record, measurement, options, outDir };
}
