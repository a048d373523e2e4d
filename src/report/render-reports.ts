import { canonicalJson } from '../base/canonical-json.ts';
import type { Measurement } from '../model/measurement.ts';
import type { RunRecord } from '../model/run-record.ts';
import { renderCsv } from './csv.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { ReportFile } from './report-file.ts';
import type { ReportOptions } from './report-options.ts';

/**
 * All reports of a run. No clock, no chance, no figure of their own: equal input gives equal bytes.
 * Write them with `writeReports`.
 */
export function renderReports(
  record: RunRecord,
  measurement: Measurement,
  options: ReportOptions,
): ReportFile[] {
  return [
    { path: 'measurement.json', content: `${canonicalJson(measurement)}\n` },
    { path: 'report.md', content: renderMarkdown(record, measurement, options) },
    renderCsv(record),
    ...renderJunit(record, measurement, options),
  ];
}
