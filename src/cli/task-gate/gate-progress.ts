import { failedTests } from '../../lint/gate/failed-tests.ts';
import type { Emit } from '../../model/event.ts';
import type { Outcome } from '../../model/outcome.ts';
import { formatDuration } from '../../report/format.ts';
import { plainLine } from '../../report/plain-text.ts';
import { type Environment, say } from '../environment.ts';

/** A line for each image that takes its time and each trial that ended; `whose` stands before trials that are not of the task's own solution. */
export function gateProgress({ stderr }: Pick<Environment, 'stderr'>, whose = ''): Emit {
  return (event) => {
    if (event.kind === 'build-ended' && !event.cached)
      say(stderr, `${event.what} built in ${formatDuration(event.durationMs)}`);
    if (event.kind === 'notice') say(stderr, event.message);
    if (event.kind !== 'trial-ended') return;
    const { trial, outcome, durationMs } = event;
    say(stderr, `${whose}${trial}: ${outcomeText(outcome)}, ${formatDuration(durationMs)}`);
  };
}

function outcomeText(outcome: Outcome): string {
  if (outcome.kind === 'unscored') return `unscored (${outcome.reason})`;
  if (outcome.verdict.passed) return 'passed';
  const tests = plainLine(failedTests({ outcome }));
  return tests === '' ? 'failed' : `failed (${tests})`;
}
