import type { Trial } from '../model/trial.ts';
import type { ReportOptions } from './report-options.ts';

/** Folder of an attempt as a reader of the report finds it: `runs/<run-id>/trials/<trial-id>/<attempt>`. */
export function attemptPath(options: ReportOptions, trial: Trial, attempt: number): string {
  return `${options.runPath}/trials/${trial.id}/${attempt}`;
}
