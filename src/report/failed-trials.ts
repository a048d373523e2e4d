import type { Notice } from '../model/attempt.ts';
import type { ConfigurationName } from '../model/ids.ts';
import type { ConfigurationFigures, Measurement, TaskFigures } from '../model/measurement.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { Verdict } from '../model/verdict.ts';
import { evidenceLink } from './evidence-link.ts';
import { failingChecks } from './failing-checks.ts';
import { firstRows } from './first-rows.ts';
import { formatMany, formatRate } from './format.ts';
import { cell } from './markdown-table.ts';
import { firstLine } from './plain-text.ts';
import { skillUseText } from './skill-use-text.ts';

/** Trials, or regressions, that are told one by one. */
const MOST_ROWS = 50;
const LONGEST_USE = 160;

/** Each failed trial in plan order: failing checks, how its agent ended, Skill use, notices, and where its evidence is. */
export function failedTrials(trials: readonly TrialRecord[]): string[] {
  const failed = trials.filter((record) => failedVerdict(record) !== undefined);
  return firstRows(failed, failedRow, { most: MOST_ROWS, where: 'trials.csv' });
}

/** Each task that got worse with Skills, with what failed in its first failed with-skills trial. */
export function regressions({ configurations }: Measurement, trials: readonly TrialRecord[]): string[] {
  const worse = configurations.flatMap(regressionsOf);
  const failed = Map.groupBy(
    trials.filter(
      (record) => record.trial.condition === 'with-skills' && failedVerdict(record) !== undefined,
    ),
    ({ trial }) => trial.configuration,
  );
  const row = ({ configuration, figures: { task, baseline, treatment } }: Regression) => {
    const change = `${formatRate(baseline)} to ${formatRate(treatment)}`;
    const ofTask = (failed.get(configuration) ?? []).filter(({ trial }) => trial.task === task);
    return `- ${cell(task)} (${cell(configuration)}): ${change}${firstFailure(ofTask)}`;
  };
  return firstRows(worse, row, { most: MOST_ROWS, where: 'measurement.json' });
}

interface Regression {
  readonly configuration: ConfigurationName;
  readonly figures: TaskFigures;
}

function regressionsOf({ configuration, regressions: names, tasks }: ConfigurationFigures): Regression[] {
  const worse = new Set(names);
  return tasks.filter(({ task }) => worse.has(task)).map((figures) => ({ configuration, figures }));
}

function firstFailure(failed: readonly TrialRecord[]): string {
  const [first] = failed;
  if (first === undefined) return '';
  const others = failed.length > 1 ? ` (first of ${formatMany(failed.length, 'failed trial')})` : '';
  return `\n  - ${cell(first.trial.id)}${others}: ${failureText(first)}`;
}

function failedRow(record: TrialRecord): string {
  return `- ${cell(record.trial.id)}: ${failureText(record)}`;
}

/** Of a trial with a failed verdict. */
function failureText(record: TrialRecord): string {
  const { counted } = record;
  const verdict = failedVerdict(record);
  const ending = counted?.agent?.ending ?? 'completed';
  const use = skillUseText(counted);
  const notices = [...new Set(counted?.notices.map(noticeText))];
  return [
    ...(ending === 'completed' ? [] : [`agent ${ending}`]),
    ...(verdict === undefined ? [] : [failingChecks(verdict)]),
    ...(use === '' ? [] : [`Skill use: ${cell(firstLine(use, LONGEST_USE))}`]),
    ...(notices.length === 0 ? [] : [`notices: ${cell(firstLine(notices.join(', '), LONGEST_USE))}`]),
    evidenceLink(record) ?? 'no evidence',
  ].join('. ');
}

function failedVerdict({ outcome }: TrialRecord): Verdict | undefined {
  return outcome.kind === 'scored' && !outcome.verdict.passed ? outcome.verdict : undefined;
}

/** What was left out of the outputs is most often why the checks failed: with its first path. */
function noticeText({ code, paths: [first] = [] }: Notice): string {
  return code === 'outputs-left-out' && first !== undefined ? `${code} ${first}` : code;
}
