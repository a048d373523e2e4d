import type { ConfigurationFigures, Measurement, TaskFigures } from '../model/measurement.ts';
import { UNSCORED_REASONS, type UnscoredReason } from '../model/outcome.ts';
import type { RunRecord } from '../model/run-record.ts';
import { CSV_COLUMNS } from './csv.ts';
import {
  formatBounds,
  formatCount,
  formatInterval,
  formatPoints,
  formatRate,
  formatReasons,
} from './format.ts';
import { gateMessage } from './gate-message.ts';
import { cell, limited, markdownTable, type Section } from './markdown-table.ts';
import { nextCommand } from './next-command.ts';
import { provenance } from './provenance.ts';
import type { ReportOptions } from './report-options.ts';

/** A GitHub job summary may hold more, but other places that show Markdown stop near 64 kB. */
const MOST_BYTES = 64_000;

/** report.md: the answer first, then what it rests on. Where the size limit cuts a list, the cut is said. */
export function renderMarkdown(record: RunRecord, measurement: Measurement, options: ReportOptions): string {
  const sections: Section[] = [
    {
      title: `# ${record.lock.experiment.name}: with Skills against without`,
      rows: answer(record, measurement, options),
    },
    { title: '', rows: headline(measurement) },
    {
      title: '## Not fit to publish',
      rows: measurement.publishable.reasons.map((reason) => `- ${cell(reason)}`),
    },
    { title: '## Denominators', rows: denominators(measurement) },
    { title: '## What the numbers mean', rows: definitions() },
    { title: '## Gates', rows: gates(measurement) },
    {
      title: '## Warnings',
      rows: [...measurement.warnings, ...record.notices].map((text) => `- ${cell(text)}`),
    },
    { title: '## Worse with Skills', rows: regressions(measurement) },
    { title: '## Incomplete pairs', rows: incompletePairs(measurement) },
    { title: '## Without a verdict, outside pairs', rows: outsidePairs(record, measurement) },
    { title: '## Where it comes from', rows: provenance(record.lock, options) },
    ...measurement.configurations.map((figures) => ({
      title: `## Tasks: ${cell(figures.configuration)}`,
      rows: taskRows(figures.tasks),
    })),
    {
      title: '## Columns of trials.csv',
      rows: CSV_COLUMNS.map(({ name, meaning }) => `- \`${name}\`: ${meaning}`),
    },
  ];
  return limited(sections, MOST_BYTES);
}

function answer(record: RunRecord, measurement: Measurement, options: ReportOptions): string[] {
  const { counts, overall, configurations, publishable } = measurement;
  const command = nextCommand(record, measurement, options);
  const sentences = configurations.slice(0, 3).map(sentence);
  const average = `Over ${overall.configurations} configurations (macro average): ${formatRate(overall.noSkills)} without, ${formatRate(overall.withSkills)} with, gain ${formatPoints(overall.gain)}, mean normalized gain ${formatRate(overall.meanNormalizedGain.value)} (defined in ${overall.meanNormalizedGain.defined}); normalized gain of the averages ${formatRate(overall.normalizedGainOfMeans)}.`;
  return [
    ...(overall.configurations > 1 ? [average] : sentences),
    '',
    `Planned ${formatCount(counts.planned)} = scored ${formatCount(counts.scored)} + unscored ${formatCount(counts.unscored)} (${formatReasons(counts)}).`,
    '',
    publishable.ok
      ? 'Fit to publish: every planned trial has a verdict.'
      : `**Not fit to publish:** ${cell(publishable.reasons[0] ?? '')}${more(publishable.reasons.length - 1)}.`,
    ...(command === undefined ? [] : ['', `Continue: \`${command}\``]),
  ];
}

function more(count: number): string {
  return count > 0 ? ` (and ${formatCount(count)} more reasons, below)` : '';
}

function sentence({ configuration, arms, gain, gainInterval, normalizedGain }: ConfigurationFigures): string {
  const rates = arms.map((arm) => `${formatRate(arm.passRate.value)} ${arm.condition}`).join(', ');
  if (arms.length < 2) return `${cell(configuration)}: ${rates}.`;
  const interval = gainInterval === null ? 'no interval' : formatInterval(gainInterval);
  return `${cell(configuration)}: ${rates}, gain ${formatPoints(gain.value)} (${interval}), normalized gain ${formatRate(normalizedGain.value)}.`;
}

function headline({ configurations }: Measurement): string[] {
  const head = [
    'configuration',
    'without',
    'with',
    'gain',
    '95 % interval',
    'normalized gain',
    'pairs used',
    'unscored without / with',
    'flips up / down',
    'tasks',
  ];
  return markdownTable(
    head,
    configurations.map((figures) => [
      cell(figures.configuration) + (figures.control ? ' (control)' : ''),
      formatRate(rateOf(figures, 'no-skills')),
      formatRate(rateOf(figures, 'with-skills')),
      formatPoints(figures.gain.value),
      formatInterval(figures.gainInterval),
      formatRate(figures.normalizedGain.value),
      `${formatCount(figures.pairs.complete)} of ${formatCount(figures.pairs.planned)}`,
      figures.arms
        .map(({ counts }) => `${formatCount(counts.unscored)} of ${formatCount(counts.planned)}`)
        .join(' / '),
      `${figures.flips.up} / ${figures.flips.down}`,
      `${figures.pairedTasks} of ${figures.plannedTasks} paired${figures.descriptive ? ', descriptive' : ''}`,
    ]),
  );
}

function rateOf({ arms }: ConfigurationFigures, condition: string): number | null {
  return arms.find((arm) => arm.condition === condition)?.passRate.value ?? null;
}

function denominators({ configurations }: Measurement): string[] {
  const head = [
    'configuration',
    'arm',
    'planned',
    'scored',
    'unscored',
    'coverage',
    'passed',
    'rate',
    'unscored as failed .. passed',
  ];
  const arms = configurations.flatMap(({ configuration, arms }) =>
    arms.map(({ condition, counts, coverage, passed, passRate }) => [
      cell(configuration),
      condition,
      formatCount(counts.planned),
      formatCount(counts.scored),
      `${formatCount(counts.unscored)}${counts.unscored > 0 ? ` (${formatReasons(counts)})` : ''}`,
      formatRate(coverage),
      formatCount(passed),
      formatRate(passRate.value),
      formatBounds(passRate.unscoredAsFailed, passRate.unscoredAsPassed),
    ]),
  );
  const bounds = configurations
    .filter(({ gainRange }) => gainRange !== null)
    .map(
      ({ configuration, gain, gainRange, gainOfCompletePairs, normalizedGain, meanTaskNormalizedGain }) => [
        configuration,
        `${formatPoints(gain.unscoredAsFailed)} / ${formatPoints(gain.unscoredAsPassed)}`,
        formatInterval(gainRange),
        formatPoints(gainOfCompletePairs),
        `${formatRate(normalizedGain.unscoredAsFailed)} / ${formatRate(normalizedGain.unscoredAsPassed)}`,
        `${formatRate(meanTaskNormalizedGain.value)} over ${meanTaskNormalizedGain.defined}, undefined in ${meanTaskNormalizedGain.undefinedTasks}`,
      ],
    );
  const boundsHead = [
    'configuration',
    'gain, unscored failed / passed',
    'gain can lie in',
    'gain of complete pairs',
    'normalized, unscored failed / passed',
    "mean of tasks' normalized gains",
  ];
  return [...markdownTable(head, arms), '', ...markdownTable(boundsHead, bounds)];
}

function definitions(): string[] {
  return [
    "- **rate**: a task's mean reward over its scored trials, then the mean over tasks (every task alike); both arms over the tasks that have a verdict in both.",
    '- **gain**: rate with minus rate without, in percentage points (pp). **normalized gain**: gain / (100 % - rate without); undefined (n/a) at 100 %, never clamped.',
    '- **unscored**: no verdict. Left out of rates, never counted as failed in silence; the bounds count it as failed and as passed, over every planned trial.',
    '- **95 % interval**: of the gain, by resampling whole tasks, both arms together; n/a with one trial per task and arm or fewer than two tasks.',
    '- **pairs used**: pairs of trials that differ only in condition and both have a verdict. **flips**: pairs that passed in one arm only.',
    '- **descriptive**: fewer than 8 tasks; the figures describe these tasks.',
  ];
}

function gates(measurement: Measurement): string[] {
  return measurement.gates.map(
    (gate) => `- ${gate.state}: ${cell(gate.configuration)}: ${gateMessage(gate)}`,
  );
}

function regressions({ configurations }: Measurement): string[] {
  return configurations.flatMap(({ configuration, regressions: names, tasks }) =>
    tasks
      .filter((task) => names.includes(task.task))
      .map(
        ({ task, noSkills, withSkills }) =>
          `- ${cell(task)} (${cell(configuration)}): ${formatRate(noSkills)} to ${formatRate(withSkills)}`,
      ),
  );
}

function incompletePairs({ incompletePairs: pairs }: Measurement): string[] {
  const reasons = new Set<UnscoredReason>(pairs.flatMap((pair) => pair.missing.map(({ reason }) => reason)));
  return [
    ...[...reasons].sort().map((reason) => `- \`${reason}\`: ${UNSCORED_REASONS[reason]}`),
    ...(pairs.length > 0 ? [''] : []),
    ...pairs.map(({ pair, missing }) => {
      const lacking = missing.map(({ trial, reason }) => `${cell(trial)} (${reason})`).join(', ');
      return `- ${cell(pair)}: ${lacking}`;
    }),
  ];
}

function outsidePairs({ trials }: RunRecord, { incompletePairs: pairs }: Measurement): string[] {
  const named = new Set<string>(pairs.flatMap((pair) => pair.missing.map(({ trial }) => trial)));
  return trials.flatMap(({ trial, outcome }) =>
    outcome.kind === 'unscored' && !named.has(trial.id) ? [`- ${cell(trial.id)} (${outcome.reason})`] : [],
  );
}

function taskRows(tasks: readonly TaskFigures[]): string[] {
  const head = [
    'task',
    'domain',
    'difficulty',
    'without',
    'with',
    'gain',
    'normalized gain',
    'scored without / with',
  ];
  return markdownTable(
    head,
    tasks.map(({ task, domain, difficulty, noSkills, withSkills, gain, normalizedGain, counts }) => [
      cell(task),
      cell(domain),
      cell(difficulty),
      formatRate(noSkills),
      formatRate(withSkills),
      formatPoints(gain),
      formatRate(normalizedGain),
      `${counts.noSkills.scored} of ${counts.noSkills.planned} / ${counts.withSkills.scored} of ${counts.withSkills.planned}`,
    ]),
  );
}
