import { canonicalJson } from '../base/canonical-json.ts';
import type { Measurement } from '../model/measurement.ts';
import { isImport, type Reportable } from '../model/run-record.ts';
import { renderCsv } from './csv.ts';
import { renderCtrf } from './ctrf.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { ReportFile } from './report-file.ts';
import type { ReportOptions } from './report-options.ts';
import { renderTasksCsv } from './tasks-csv.ts';

/**
 * All reports of a run; of imported results those that need none of its attempts. No clock, no chance, no figure of their own: equal input gives equal bytes.
 * Write them with `writeReports`.
 */
export function renderReports(
  record: Reportable,
  measurement: Measurement,
  options: ReportOptions,
): ReportFile[] {
  const figures = [
    { path: 'measurement.json', content: `${canonicalJson(measurement)}\n` },
    { path: 'report.md', content: renderMarkdown(record, measurement, options) },
    renderTasksCsv(measurement),
  ];
  return isImport(record)
    ? figures
    : [
        ...figures,
        renderCsv(record),
        ...renderJunit(record, measurement, options),
        renderCtrf(record, options),
      ];
}
