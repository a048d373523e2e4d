import type { Measurement, TaskFigures } from '../model/measurement.ts';
import { csvLine } from './csv.ts';
import type { ReportFile } from './report-file.ts';

interface Row {
  readonly configuration: string;
  readonly baseline: string;
  readonly treatment: string;
  readonly figures: TaskFigures;
}

/** Columns of tasks.csv, in order: name and where its value comes from. */
const COLUMNS: readonly (readonly [name: string, value: (row: Row) => unknown])[] = [
  ['configuration', ({ configuration }) => configuration],
  ['task', ({ figures }) => figures.task],
  ['domain', ({ figures }) => figures.domain],
  ['difficulty', ({ figures }) => figures.difficulty],
  ['baseline', ({ baseline }) => baseline],
  ['treatment', ({ treatment }) => treatment],
  ['baseline_rate', ({ figures }) => figures.baseline],
  ['treatment_rate', ({ figures }) => figures.treatment],
  ['gain', ({ figures }) => figures.gain],
  ['normalized_gain', ({ figures }) => figures.normalizedGain],
  ['baseline_planned', ({ figures }) => figures.counts.baseline.planned],
  ['baseline_scored', ({ figures }) => figures.counts.baseline.scored],
  ['baseline_passed', ({ figures }) => figures.passed.baseline],
  ['treatment_planned', ({ figures }) => figures.counts.treatment.planned],
  ['treatment_scored', ({ figures }) => figures.counts.treatment.scored],
  ['treatment_passed', ({ figures }) => figures.passed.treatment],
  ['pairs_planned', ({ figures }) => figures.pairs.planned],
  ['pairs_complete', ({ figures }) => figures.pairs.complete],
  ['flips_up', ({ figures }) => figures.flips.up],
  ['flips_down', ({ figures }) => figures.flips.down],
];

/** tasks.csv: one row per configuration and task with its rates in both arms; rates from 0 to 1, empty where undefined. */
export function renderTasksCsv(measurement: Measurement): ReportFile {
  return { path: 'tasks.csv', content: rows(measurement) };
}

async function* rows({ configurations, otherContrasts = [] }: Measurement): AsyncIterable<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  for (const one of [...configurations, ...otherContrasts.flatMap((contrast) => contrast.configurations)]) {
    const { configuration, baseline, treatment, tasks } = one;
    yield tasks
      .map((figures) => ({ configuration, baseline, treatment, figures }))
      .map((row) => csvLine(COLUMNS.map(([, value]) => value(row))))
      .join('');
  }
}
