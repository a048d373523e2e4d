import type { AttemptRecord } from '../../model/attempt.ts';
import type { TestResult } from '../../model/verdict.ts';

const LONGEST_MESSAGE = 160;

/** The tests that failed in a trial; none where it has no verdict. */
export function failuresOf({ outcome }: Pick<AttemptRecord, 'outcome'>): readonly TestResult[] {
  return outcome.kind === 'scored' ? outcome.verdict.tests.filter(({ status }) => status === 'failed') : [];
}

/** The first tests that failed in a trial and how many more, for a message; empty where none did. */
export function failedTests(record: Pick<AttemptRecord, 'outcome'>, most = 3): string {
  const failed = failuresOf(record).map(({ name }) => name);
  const more = failed.length > most ? ` and ${failed.length - most} more` : '';
  return `${failed.slice(0, most).join(', ')}${more}`;
}

/** First line of what a test said when it failed, cut; empty where it said nothing. */
export function failureMessage({ message = '' }: TestResult): string {
  const [line = ''] = message.trim().split(/\r?\n/, 1);
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}…`;
}
