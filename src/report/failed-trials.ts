import type { ConfigurationFigures, Measurement } from '../model/measurement.ts';
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
  const rows = trials.flatMap((record) => {
    const verdict = failedVerdict(record);
    return verdict === undefined ? [] : [failedRow(record, verdict)];
  });
  return firstRows(rows, MOST_ROWS, 'trials.csv');
}

/** Each task that got worse with Skills, with what failed in its first failed with-skills trial. */
export function regressions({ configurations }: Measurement, trials: readonly TrialRecord[]): string[] {
  const rows = configurations
    .filter((figures) => figures.regressions.length > 0)
    .flatMap((figures) => regressionsOf(figures, trials));
  return firstRows(rows, MOST_ROWS, 'measurement.json');
}

function regressionsOf(
  { configuration, regressions: names, tasks }: ConfigurationFigures,
  trials: readonly TrialRecord[],
): string[] {
  const withSkills = trials.filter(
    ({ trial }) => trial.configuration === configuration && trial.condition === 'with-skills',
  );
  const byTask = Map.groupBy(withSkills, ({ trial }) => trial.task);
  return tasks
    .filter((task) => names.includes(task.task))
    .map(({ task, noSkills, withSkills: rate }) => {
      const change = `${formatRate(noSkills)} to ${formatRate(rate)}`;
      return `- ${cell(task)} (${cell(configuration)}): ${change}${firstFailure(byTask.get(task) ?? [])}`;
    });
}

function firstFailure(trials: readonly TrialRecord[]): string {
  const failed = trials.flatMap((record) => {
    const verdict = failedVerdict(record);
    return verdict === undefined ? [] : [{ record, verdict }];
  });
  const [first] = failed;
  if (first === undefined) return '';
  const { record, verdict } = first;
  const others = failed.length > 1 ? ` (first of ${formatMany(failed.length, 'failed trial')})` : '';
  return `\n  - ${cell(record.trial.id)}${others}: ${failureText(record, verdict)}`;
}

function failedRow(record: TrialRecord, verdict: Verdict): string {
  return `- ${cell(record.trial.id)}: ${failureText(record, verdict)}`;
}

function failureText(record: TrialRecord, verdict: Verdict): string {
  const { counted } = record;
  const ending = counted?.agent?.ending ?? 'completed';
  const use = skillUseText(counted?.skillUse ?? []);
  const codes = [...new Set(counted?.notices.map(({ code }) => code))];
  return [
    ...(ending === 'completed' ? [] : [`agent ${ending}`]),
    failingChecks(verdict),
    ...(use === '' ? [] : [`Skill use: ${cell(firstLine(use, LONGEST_USE))}`]),
    ...(codes.length === 0 ? [] : [`notices: ${cell(firstLine(codes.join(', '), LONGEST_USE))}`]),
    evidenceLink(record) ?? 'no evidence',
  ].join('. ');
}

function failedVerdict({ outcome }: TrialRecord): Verdict | undefined {
  return outcome.kind === 'scored' && !outcome.verdict.passed ? outcome.verdict : undefined;
}
