import { assertNever } from '../base/assert-never.ts';
import type { ModelUse } from '../model/model-use.ts';
import { UNSCORED_REASONS } from '../model/outcome.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { Verdict } from '../model/verdict.ts';
import { attemptPath } from './attempt-path.ts';
import { formatInstant, formatMany } from './format.ts';
import { isBelow, taskFile } from './project-file.ts';
import type { ReportOptions } from './report-options.ts';
import { attributeText, bodyText, cdataText, messageText } from './xml-text.ts';

/** Most characters of system-out: one reader trims passing cases at 1,000. */
const LONGEST_OUTPUT = 500;

/** What the agent printed, below the attempt's folder. */
const AGENT_OUTPUT = 'agent/stdout.log';

/** A JUnit testcase as values, every text cleaned. At most one of failure and error. */
export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  readonly durationMs: number;
  /** ISO instant, UTC. */
  readonly timestamp: string;
  readonly file: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly bad?: {
    readonly kind: 'failure' | 'error';
    readonly type: string;
    readonly message: string;
    readonly body: string;
  };
  readonly output: string;
}

/** What a trial's case is made from, beside the trial. */
export interface JunitContext {
  readonly lock: RunLock;
  readonly options: ReportOptions;
  /** Task id to the task's file. */
  readonly files: ReadonlyMap<string, string>;
}

/** One trial as one testcase. Its names hold nothing that changes from night to night. */
export function trialCase(record: TrialRecord, context: JunitContext): JunitCase {
  const { trial, counted, attempts } = record;
  const where = counted === undefined ? undefined : attemptPath(context.options, trial, counted.attempt);
  const { bad, note } = badPart(record, where ?? 'run.json', context.options);
  const history = attempts
    .map(({ outcome }) => (outcome.kind === 'scored' ? 'scored' : outcome.reason))
    .join(', ');
  return {
    // Readers split class names at dots: the task is one part of it.
    classname: attributeText(`${suiteName(trial)}.${trial.task.replaceAll('.', '_')}`),
    name: attributeText(`${trial.task} / ${trial.condition} / trial ${trial.index} / ${trial.configuration}`),
    durationMs: Math.round(counted?.durationMs ?? 0),
    timestamp: trialTime(record, context),
    file: attributeText(taskFile(trial.task, context.files.get(trial.task))),
    properties: {
      attempts: String(attempts.length),
      ...(attempts.length > 1 ? { 'attempt-outcomes': history } : {}),
      ...(counted?.agent === undefined ? {} : { ending: counted.agent.ending }),
      ...(counted?.modelUse === undefined ? {} : modelProperties(counted.modelUse)),
    },
    ...(bad === undefined ? {} : { bad }),
    output: outputText([
      ...attachments(where, record),
      note,
      attempts.length > 1 ? `attempts: ${history}` : '',
    ]),
  };
}

/** Counts that no answer carried are left out. */
function modelProperties({ mode, requests, usage, servedModels }: ModelUse): Record<string, string> {
  return {
    ...(mode === 'live' ? {} : { 'model-mode': mode }),
    ...(servedModels.length === 0 ? {} : { 'served-model': attributeText(servedModels.join(', ')) }),
    'model-requests': String(requests),
    ...(usage.input === undefined ? {} : { 'input-tokens': String(usage.input) }),
    ...(usage.output === undefined ? {} : { 'output-tokens': String(usage.output) }),
  };
}

/** When a trial's case says that it started (ISO instant, UTC), without making the case. */
export function trialTime({ counted }: TrialRecord, { lock }: JunitContext): string {
  return formatInstant(counted?.startedAt ?? lock.createdAt);
}

/** What kind of case a trial makes, without making it. */
export function caseKind(
  { outcome, trial }: TrialRecord,
  options: ReportOptions,
): 'passed' | 'failure' | 'error' {
  if (outcome.kind === 'unscored') return 'error';
  const isExcused = options.junitBaseline === 'pass-with-note' && trial.condition === 'no-skills';
  return outcome.verdict.passed || isExcused ? 'passed' : 'failure';
}

/** Name of the suite a trial stands in, the same each night. */
export function suiteName(trial: Pick<TrialRecord['trial'], 'configuration' | 'condition'>): string {
  return attributeText(`${trial.configuration}.${trial.condition}`);
}

function badPart(record: TrialRecord, where: string, options: ReportOptions) {
  const { outcome } = record;
  switch (outcome.kind) {
    case 'scored': {
      if (outcome.verdict.passed) return { note: '' };
      const bad = failure(record, outcome.verdict, where);
      return caseKind(record, options) === 'passed'
        ? { note: `failed, as a no-skills trial may: ${bad.message}` }
        : { bad, note: '' };
    }
    case 'unscored': {
      const message = messageText(
        `${outcome.reason} in phase ${outcome.phase}: ${UNSCORED_REASONS[outcome.reason]}`,
      );
      const body = bodyText(`${message}\n${outcome.detail}`, where);
      return { bad: { kind: 'error' as const, type: `fault.${outcome.reason}`, message, body }, note: '' };
    }
    default:
      return assertNever(outcome);
  }
}

function failure({ counted }: TrialRecord, verdict: Verdict, where: string) {
  const ending = counted?.agent?.ending ?? 'completed';
  const failing = verdict.tests.filter((test) => test.status === 'failed');
  const names = failing.map((test) => messageText(test.name.split('::').at(-1) ?? test.name));
  const what =
    failing.length > 0
      ? `${failing.length} of ${formatMany(verdict.tests.length, 'check')} failed: ${names.join(', ')}`
      : `reward ${verdict.reward} of 1, no failing check reported`;
  const message = messageText(ending === 'completed' ? what : `agent ${ending}; ${what}`);
  const checks = failing.map(
    (test) => `FAILED ${test.name}${test.message === undefined ? '' : ` - ${test.message}`}`,
  );
  return {
    kind: 'failure' as const,
    type: `verdict.${ending === 'completed' ? 'failed' : ending}`,
    message,
    body: bodyText([message, ...checks].join('\n'), where),
  };
}

/**
 * Links that readers make of system-out: the evidence of the verdict, and for a failed trial also what its agent said.
 * Readers take paths below their own folder only, and one with a delimiter in it would break the link; a link that has
 * no room is left out whole.
 */
function attachments(where: string | undefined, { counted, outcome }: TrialRecord): string[] {
  if (where === undefined || !isBelow(where) || /[[\]|]/.test(where)) return [];
  const evidence = counted?.evidence ?? [];
  const isFailed = outcome.kind === 'scored' && !outcome.verdict.passed;
  const paths = new Set([firstEvidence(evidence)]);
  if (isFailed && evidence.includes(AGENT_OUTPUT)) paths.add(AGENT_OUTPUT);
  let room = LONGEST_OUTPUT;
  return [...paths]
    .filter((path) => !/[[\]|]/.test(path))
    .map((path) => `[[ATTACHMENT|${where}/${path}]]`)
    .filter((link) => {
      room -= link.length + 1;
      return room >= 0;
    });
}

/** The trajectory where there is one, else the verifier's report, else the attempt's own record. */
function firstEvidence(evidence: readonly string[]): string {
  const wanted = (part: string) => evidence.find((path) => path.includes(part));
  return wanted('trajectory') ?? wanted('verifier/report') ?? 'attempt.json';
}

function outputText(lines: readonly string[]): string {
  const text = cdataText(lines.filter((line) => line !== '').join('\n'));
  if (text.length <= LONGEST_OUTPUT) return text;
  const characters = [...text];
  if (characters.length <= LONGEST_OUTPUT) return text;
  return `${characters.slice(0, LONGEST_OUTPUT - 3).join('')}...`;
}
