import type { TestResult, Verdict } from '../model/verdict.ts';
import { formatCount, formatMany } from './format.ts';
import { cell } from './markdown-table.ts';
import { firstLine } from './plain-text.ts';

/** Failing checks shown of one trial: the first is most often the cause of the others. */
const MOST_CHECKS = 2;
const LONGEST_NAME = 100;
const LONGEST_MESSAGE = 160;

/** Which checks of a failed verdict failed and why, as one harmless line of Markdown. */
export function failingChecks({ tests, reward }: Verdict): string {
  const failing = tests.filter((test) => test.status === 'failed');
  if (failing.length === 0) return `reward ${reward} of 1, no failing check reported`;
  const more = failing.length - MOST_CHECKS;
  return [
    `${formatCount(failing.length)} of ${formatMany(tests.length, 'check')} failed: `,
    failing.slice(0, MOST_CHECKS).map(checkText).join('; '),
    ...(more > 0 ? [` and ${formatCount(more)} more`] : []),
  ].join('');
}

/** Name of a check without its file, which is the same for all. */
export function checkName({ name }: TestResult): string {
  return firstLine(name.split('::').at(-1) ?? name, LONGEST_NAME);
}

/** First line of what a check reported, cleaned and cut; empty without a message. */
export function checkMessage({ message = '' }: TestResult): string {
  return firstLine(message, LONGEST_MESSAGE);
}

function checkText(test: TestResult): string {
  const message = checkMessage(test);
  return `${cell(checkName(test))}${message === '' ? '' : ` (${cell(message)})`}`;
}
