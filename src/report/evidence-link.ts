import type { TrialRecord } from '../model/run-record.ts';

/**
 * Folder of the attempt that counts, as a Markdown link from a report in `runs/<run-id>/reports`: the folder of the
 * run is one above. Undefined for a trial that never ran.
 */
export function evidenceLink({ trial, counted }: TrialRecord): string | undefined {
  if (counted === undefined) return undefined;
  const parts = [
    trial.task,
    trial.condition,
    String(trial.index),
    trial.configuration,
    String(counted.attempt),
  ];
  return `[evidence](../trials/${parts.map(urlPart).join('/')}/)`;
}

/** Encoded so that neither a blank nor a parenthesis ends the link; `@` and `+` of configuration names stay readable. */
function urlPart(part: string): string {
  return encodeURIComponent(part.toWellFormed())
    .replace(/%(?:40|2B)/g, decodeURIComponent)
    .replace(/[()']/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
