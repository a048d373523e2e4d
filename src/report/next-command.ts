import { COMMAND } from '../model/command.ts';
import type { Measurement } from '../model/measurement.ts';
import type { UnscoredReason } from '../model/outcome.ts';
import { isImport, type Reportable, type RunRecord } from '../model/run-record.ts';
import type { ReportOptions } from './report-options.ts';

/** Reasons that lie in files, or in what a run was made of: mending them makes another run, which cannot be this one resumed. */
const IN_FILES: readonly string[] = [
  'build-failed',
  'condition-violated',
  'arms-differ',
] satisfies UnscoredReason[];

/** The command that takes a run of ours further, where something is left to do: trials not run, or unscored ones. */
export function nextCommand(
  record: Reportable,
  { counts }: Measurement,
  { runPath }: Pick<ReportOptions, 'runPath'>,
): string | undefined {
  if (isImport(record)) return undefined;
  const { lock, endedBy } = record;
  const run = shellWord(runPath === `runs/${lock.run}` ? lock.run : runPath);
  const left = (counts.byReason['not-run'] ?? 0) + (counts.byReason.cancelled ?? 0);
  // Trials are held behind a refused key, and the one that found it out has to be asked for.
  const again = counts.byReason['provider-auth'] === undefined ? '' : ' --retry-unscored';
  if (endedBy !== 'done' || left > 0) return `${COMMAND} resume ${run}${again}`;
  if (counts.unscored === 0) return undefined;
  return Object.keys(counts.byReason).every((reason) => IN_FILES.includes(reason))
    ? `${COMMAND} run ${shellWord(lock.experimentPath)}`
    : `${COMMAND} resume ${run} --retry-unscored`;
}

/** Quoted where a shell would read it otherwise, so that the command can be copied. */
function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Trials without a verdict, each with its reason, in plan order. */
export function unscoredNames({ trials }: Pick<RunRecord, 'trials'>): string[] {
  return trials.flatMap(({ trial, outcome }) =>
    outcome.kind === 'unscored' ? [`${trial.id} (${outcome.reason})`] : [],
  );
}
