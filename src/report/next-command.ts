import type { Measurement } from '../model/measurement.ts';
import type { RunRecord } from '../model/run-record.ts';
import type { ReportOptions } from './report-options.ts';

/** The command that takes a run further, where something is left to do: trials not run, or unscored ones. */
export function nextCommand(
  record: RunRecord,
  { counts }: Measurement,
  { runPath }: Pick<ReportOptions, 'runPath'>,
): string | undefined {
  const run = shellWord(runPath === `runs/${record.lock.run}` ? record.lock.run : runPath);
  const left = (counts.byReason['not-run'] ?? 0) + (counts.byReason.cancelled ?? 0);
  if (record.endedBy !== 'done' || left > 0) return `skillpair resume ${run}`;
  return counts.unscored > 0 ? `skillpair resume ${run} --retry-unscored` : undefined;
}

/** Quoted where a shell would read it otherwise, so that the command can be copied. */
function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Trials without a verdict, each with its reason, in plan order. */
export function unscoredNames({ trials }: RunRecord): string[] {
  return trials.flatMap(({ trial, outcome }) =>
    outcome.kind === 'unscored' ? [`${trial.id} (${outcome.reason})`] : [],
  );
}
