import { seedFrom } from '../base/random.ts';
import type { Measurement } from '../model/measurement.ts';
import { type ImportRecord, isImport, type Reportable } from '../model/run-record.ts';
import { type MeasureInput, measure } from './measure.ts';

/** Every figure of a run, or of imported results. */
export function measureReportable(record: Reportable): Measurement {
  return measure(isImport(record) ? importInput(record) : record);
}

/** An import has no plan, hence no seed: chance comes from the bytes that were imported. No more is known of its tasks than their names. */
function importInput({ imported, trials, endedBy }: ImportRecord): MeasureInput {
  const { configurations, results, source } = imported;
  return {
    lock: {
      plan: { seed: seedFrom(source.digest) },
      part: [],
      tasks: [],
      gates: {},
      configurations,
      experiment: { models: { providers: {} } },
    },
    trials,
    ...(results.kind === 'averages' ? { averages: results.averages } : {}),
    endedBy,
  };
}
