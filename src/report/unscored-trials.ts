import { UNSCORED_REASONS, type Unscored, type UnscoredReason } from '../model/outcome.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { evidenceLink } from './evidence-link.ts';
import { firstRows } from './first-rows.ts';
import { cell } from './markdown-table.ts';
import { cutLine, plainLine } from './plain-text.ts';

const MOST_ROWS = 50;
const LONGEST_DETAIL = 240;

interface UnscoredTrial {
  readonly record: TrialRecord;
  readonly fault: Unscored;
}

/** What the reasons that occurred mean, then each trial without a verdict: those that ran first, since they left evidence. */
export function unscoredTrials(trials: readonly TrialRecord[]): string[] {
  const lacking = trials.flatMap((record): UnscoredTrial[] =>
    record.outcome.kind === 'unscored' ? [{ record, fault: record.outcome }] : [],
  );
  const [ran = [], never = []] = [true, false].map((hasRun) =>
    lacking.filter(({ record }) => (record.counted !== undefined) === hasRun),
  );
  const rows = firstRows([...ran, ...never], unscoredRow, { most: MOST_ROWS, where: 'trials.csv' });
  return lacking.length === 0 ? [] : [...reasonLines(lacking), '', ...rows];
}

function reasonLines(lacking: readonly UnscoredTrial[]): string[] {
  const reasons = new Set<UnscoredReason>(lacking.map(({ fault }) => fault.reason));
  return [...reasons].sort().map((reason) => `- \`${reason}\`: ${UNSCORED_REASONS[reason]}`);
}

function unscoredRow({ record, fault }: UnscoredTrial): string {
  const detail = cell(cutLine(plainLine(fault.detail), LONGEST_DETAIL));
  const where = evidenceLink(record);
  const end = where === undefined ? '' : `. ${where}`;
  const { reason } = fault;
  if (record.counted === undefined) return `- ${cell(record.trial.id)}: ${reason}: ${detail}${end}`;
  return `- ${cell(record.trial.id)}: ${reason} in phase ${fault.phase}: ${detail}${end}`;
}
