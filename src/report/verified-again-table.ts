import type { Outcome } from '../model/outcome.ts';
import { agrees, type NotVerifiable, type VerifiedAgain } from '../model/verified-again.ts';
import { formatMany } from './format.ts';
import { firstLine, plainLine } from './plain-text.ts';
import { textColumns } from './text-columns.ts';

const LONGEST_DETAIL = 300;

/** What came of verifying kept work once more: lines without an end. */
export function renderVerifiedAgain(
  again: readonly VerifiedAgain[],
  impossible: readonly NotVerifiable[],
): string {
  const rows = again.map((one) => [
    plainLine(one.trial),
    String(one.attempt),
    outcomeText(one.recorded),
    outcomeText(one.now),
    agrees(one) ? 'same' : 'OTHER',
    one.taskChanged ? 'changed' : 'same',
  ]);
  const table = textColumns(['trial', 'attempt', 'recorded', 'now', 'result', 'task'], rows);
  const details = again.flatMap(({ trial, now, notices }) =>
    [
      ...(now.kind === 'unscored' ? [`${now.reason}: ${now.detail}`] : []),
      ...notices.map(({ code, detail }) => `${code}: ${detail}`),
    ].map((line) => `${plainLine(trial)}: ${firstLine(line, LONGEST_DETAIL)}`),
  );
  const others = again.filter((one) => !agrees(one)).length;
  const counts = `verified again: ${formatMany(again.length, 'trial')}, ${others} with another result; not verified: ${impossible.length}`;
  return [
    ...(again.length === 0 ? [] : [table]),
    ...details,
    ...impossible.map(({ trial, why }) => `${plainLine(trial)}: not verified: ${why}`),
    counts,
  ].join('\n');
}

function outcomeText(outcome: Outcome): string {
  if (outcome.kind === 'unscored') return `unscored (${outcome.reason})`;
  const { passed, reward } = outcome.verdict;
  return passed || reward === 0 ? (passed ? 'passed' : 'failed') : `failed (reward ${reward})`;
}
