import type { LockedTask, RunLock } from '../model/run-lock.ts';
import type { RunRecord, TrialRecord } from '../model/run-record.ts';
import type { TestResult } from '../model/verdict.ts';
import { checkMessage, checkName } from './failing-checks.ts';
import { MODEL_COLUMNS } from './model-columns.ts';
import { plainText } from './plain-text.ts';
import type { ReportFile } from './report-file.ts';
import { skillUseText } from './skill-use-text.ts';

/** Rows made at a time. */
const ROWS = 1_000;

/** What a column is made from. */
interface Row {
  readonly lock: RunLock;
  readonly record: TrialRecord;
  readonly task: LockedTask | undefined;
}

/** The columns of trials.csv, in order: name, meaning, and where its value comes from. An empty cell: there is none. */
export const CSV_COLUMNS: readonly { name: string; meaning: string; value: (row: Row) => unknown }[] = [
  { name: 'run', meaning: 'id of the run', value: ({ lock }) => lock.run },
  { name: 'trial', meaning: 'id of the trial', value: ({ record }) => record.trial.id },
  { name: 'task', meaning: 'id of the task', value: ({ record }) => record.trial.task },
  { name: 'domain', meaning: 'domain of the task', value: ({ task }) => task?.metadata.domain },
  { name: 'difficulty', meaning: 'difficulty of the task', value: ({ task }) => task?.metadata.difficulty },
  { name: 'condition', meaning: 'no-skills or with-skills', value: ({ record }) => record.trial.condition },
  { name: 'configuration', meaning: 'harness and model', value: ({ record }) => record.trial.configuration },
  { name: 'index', meaning: 'number of the trial, from 1', value: ({ record }) => record.trial.index },
  { name: 'outcome', meaning: 'scored or unscored', value: ({ record }) => record.outcome.kind },
  {
    name: 'passed',
    meaning: 'true or false; empty when unscored',
    value: ({ record }) => verdictOf(record)?.passed,
  },
  {
    name: 'reward',
    meaning: '0 to 1; empty when unscored',
    value: ({ record }) => verdictOf(record)?.reward,
  },
  { name: 'reason', meaning: 'why it is unscored', value: ({ record }) => faultOf(record)?.reason },
  { name: 'phase', meaning: 'where it became unscored', value: ({ record }) => faultOf(record)?.phase },
  { name: 'detail', meaning: 'what was reported there', value: ({ record }) => faultOf(record)?.detail },
  { name: 'ending', meaning: 'how the agent ended', value: ({ record }) => record.counted?.agent?.ending },
  { name: 'attempts', meaning: 'attempts made', value: ({ record }) => record.attempts.length },
  {
    name: 'counted_attempt',
    meaning: 'the attempt that counts',
    value: ({ record }) => record.counted?.attempt,
  },
  {
    name: 'started_at',
    meaning: 'start of that attempt, UTC',
    value: ({ record }) => record.counted?.startedAt,
  },
  { name: 'duration_ms', meaning: 'of that attempt', value: ({ record }) => record.counted?.durationMs },
  {
    name: 'agent_ms',
    meaning: 'of its agent process',
    value: ({ record }) => record.counted?.agent?.durationMs,
  },
  {
    name: 'checks',
    meaning: 'checks of the verifier',
    value: ({ record }) => verdictOf(record)?.tests.length,
  },
  { name: 'checks_failed', meaning: 'those that failed', value: ({ record }) => failedChecks(record) },
  { name: 'image', meaning: 'id of the task image', value: ({ record }) => record.counted?.images.task },
  {
    name: 'failed_check',
    meaning: 'the first check that failed',
    value: ({ record }) => withFirstFailed(record, checkName),
  },
  {
    name: 'failed_message',
    meaning: 'first line of what it reported',
    value: ({ record }) => withFirstFailed(record, checkMessage),
  },
  {
    name: 'skill_use',
    meaning:
      "each Skill: used, not used or cannot tell, by the harness's own output; not present where the container held none",
    value: ({ record }) => skillUseText(record.counted),
  },
  {
    name: 'notices',
    meaning: 'codes of what was noticed besides',
    value: ({ record }) => [...new Set(record.counted?.notices.map(({ code }) => code))].join(' '),
  },
  {
    name: 'evidence',
    meaning: "folder of that attempt, below the run's folder",
    value: ({ record: { trial, counted } }) =>
      counted === undefined ? undefined : `trials/${trial.id}/${counted.attempt}`,
  },
  ...MODEL_COLUMNS,
];

/** trials.csv: one row per planned trial, RFC 4180 (CRLF, quotes doubled), safe to open in a spreadsheet. */
export function renderCsv(record: RunRecord): ReportFile {
  return { path: 'trials.csv', content: rows(record) };
}

async function* rows({ lock, trials }: RunRecord): AsyncIterable<string> {
  const tasks = new Map<string, LockedTask>(lock.tasks.map((task) => [task.id, task]));
  yield csvLine(CSV_COLUMNS.map((column) => column.name));
  for (let start = 0; start < trials.length; start += ROWS) {
    yield trials
      .slice(start, start + ROWS)
      .map((record) => ({ lock, record, task: tasks.get(record.trial.task) }))
      .map((row) => csvLine(CSV_COLUMNS.map((column) => column.value(row))))
      .join('');
  }
}

/** One line of cells with its end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/**
 * One cell. Text that a spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@`, tab or newline) gets an
 * apostrophe in front; numbers stay numbers.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = plainText(String(value));
  const safe = /^[=+\-@\t\n\uff0b\uff0d\uff1d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function verdictOf({ outcome }: TrialRecord) {
  return outcome.kind === 'scored' ? outcome.verdict : undefined;
}

function faultOf({ outcome }: TrialRecord) {
  return outcome.kind === 'unscored' ? outcome : undefined;
}

function failedChecks(record: TrialRecord): number | undefined {
  return verdictOf(record)?.tests.filter((test) => test.status === 'failed').length;
}

function withFirstFailed(record: TrialRecord, text: (test: TestResult) => string): string | undefined {
  const first = verdictOf(record)?.tests.find((test) => test.status === 'failed');
  return first === undefined ? undefined : text(first);
}
