import { canonicalJson } from '../base/canonical-json.ts';
import type { AttemptRecord } from '../model/attempt.ts';
import { UNSCORED_REASONS } from '../model/outcome.ts';
import type { RunRecord, TrialRecord } from '../model/run-record.ts';
import { attemptPath } from './attempt-path.ts';
import { caseKind, type JunitContext, trialCase } from './junit-case.ts';
import type { ReportFile } from './report-file.ts';
import type { ReportOptions } from './report-options.ts';

/** Of the specification that is written: https://www.ctrf.io/docs/specification. */
const SPEC_VERSION = '1.0.0';
/** Trials in one piece of text. */
const TRIALS_AT_A_TIME = 100;

type Status = 'passed' | 'failed' | 'other';

/**
 * `ctrf.json` (Common Test Report Format): a test for each trial under the names and in the order that JUnit has too. A trial without a verdict is
 * `other`, with its reason as `rawStatus`: no reader then takes it for a failure or for a skipped test. Attempts that came to nothing are its
 * retries; they make nothing flaky.
 */
export function renderCtrf(record: RunRecord, options: ReportOptions): ReportFile {
  const files = new Map<string, string>(record.lock.tasks.map((task) => [task.id, task.file]));
  const context: JunitContext = { lock: record.lock, options, files };
  return { path: 'ctrf.json', content: pieces(record, context) };
}

async function* pieces({ lock, trials }: RunRecord, context: JunitContext): AsyncIterable<string> {
  const head = canonicalJson({
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    generatedBy: 'skillpair',
    extra: { run: lock.run, experiment: lock.experiment.name },
  });
  const results = canonicalJson({
    tool: { name: 'skillpair', version: lock.skillpair },
    summary: summary(trials, context),
  });
  yield `${head.slice(0, -1)},"results":${results.slice(0, -1)},"tests":[`;
  for (let start = 0; start < trials.length; start += TRIALS_AT_A_TIME) {
    const some = trials
      .slice(start, start + TRIALS_AT_A_TIME)
      .map((one) => JSON.stringify(test(one, context)));
    yield `${start === 0 ? '' : ','}\n${some.join(',\n')}`;
  }
  yield '\n]}}\n';
}

function summary(trials: readonly TrialRecord[], { lock, options }: JunitContext) {
  const counts: Record<Status, number> = { passed: 0, failed: 0, other: 0 };
  // Instants of one form: their order is that of their texts.
  let [first, last] = ['', ''];
  for (const one of trials) {
    counts[statusOf(one, options)]++;
    for (const { startedAt, endedAt } of one.attempts) {
      if (first === '' || startedAt < first) first = startedAt;
      if (endedAt > last) last = endedAt;
    }
  }
  const at = (instant: string) => Date.parse(instant === '' ? lock.createdAt : instant);
  return { tests: trials.length, ...counts, skipped: 0, pending: 0, start: at(first), stop: at(last) };
}

function statusOf(record: TrialRecord, options: ReportOptions): Status {
  const kind = caseKind(record, options);
  if (kind === 'error') return 'other';
  return kind === 'failure' ? 'failed' : 'passed';
}

function test(record: TrialRecord, context: JunitContext) {
  const { trial, counted, outcome } = record;
  const { name, durationMs, file, bad } = trialCase(record, context);
  const times =
    counted === undefined ? {} : { start: Date.parse(counted.startedAt), stop: Date.parse(counted.endedAt) };
  const earlierOnes = record.attempts.filter((attempt) => attempt !== counted).map(retry);
  return {
    name,
    status: statusOf(record, context.options),
    ...(outcome.kind === 'unscored' ? { rawStatus: outcome.reason } : {}),
    duration: durationMs,
    ...times,
    suite: [trial.configuration, trial.condition, trial.task],
    filePath: file,
    ...(bad === undefined ? {} : { message: bad.message, trace: bad.body }),
    ...(earlierOnes.length === 0 ? {} : { retries: earlierOnes.length, retryAttempts: earlierOnes }),
    labels: {
      task: trial.task,
      condition: trial.condition,
      configuration: trial.configuration,
      trial: trial.index,
      ...(outcome.kind === 'scored' ? { reward: outcome.verdict.reward } : {}),
      ...(counted?.agent === undefined ? {} : { ending: counted.agent.ending }),
    },
    ...(counted === undefined
      ? {}
      : { extra: { attempt: attemptPath(context.options, trial, counted.attempt) } }),
  };
}

/** Further attempts follow only those that gave no verdict. */
function retry({ attempt, outcome, durationMs, startedAt, endedAt }: AttemptRecord) {
  const message =
    outcome.kind === 'scored' ? {} : { message: `${outcome.reason}: ${UNSCORED_REASONS[outcome.reason]}` };
  return {
    attempt,
    status: 'other' as const,
    duration: Math.round(durationMs),
    start: Date.parse(startedAt),
    stop: Date.parse(endedAt),
    ...message,
  };
}
