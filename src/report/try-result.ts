import type { Outcome } from '../model/outcome.ts';
import { checkMessage, checkName } from './failing-checks.ts';
import { formatMany } from './format.ts';
import { firstLine } from './plain-text.ts';

const LONGEST_DETAIL = 500;

/** What a person's work came to, and which checks failed: lines without an end. */
export function renderTryResult(outcome: Outcome): string {
  if (outcome.kind === 'unscored') {
    const { reason, phase, detail } = outcome;
    return `no verdict: ${reason} in phase ${phase}: ${firstLine(detail, LONGEST_DETAIL)}`;
  }
  const { passed, reward, tests } = outcome.verdict;
  const failing = tests.filter(({ status }) => status === 'failed');
  const lines = failing.map((test) => {
    const message = checkMessage(test);
    return `  ${checkName(test)}${message === '' ? '' : `: ${message}`}`;
  });
  const share = passed ? formatMany(tests.length, 'check') : `reward ${reward}`;
  const count = failing.length === 0 ? share : `${failing.length} of ${formatMany(tests.length, 'check')}`;
  return [`${passed ? 'passed' : 'failed'}: ${count}`, ...lines].join('\n');
}
