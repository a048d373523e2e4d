import type { ConfigurationFigures, Measurement, TaskFigures } from '../model/measurement.ts';
import { isImport, type Reportable } from '../model/run-record.ts';
import { completeness } from './completeness.ts';
import { countsLine } from './counts-line.ts';
import { CSV_COLUMNS } from './csv.ts';
import { denominators } from './denominators.ts';
import { failedTrials, regressions } from './failed-trials.ts';
import { firstRows } from './first-rows.ts';
import { formatCount, formatInterval, formatPoints, formatRate } from './format.ts';
import { gainRanges } from './gain-range.ts';
import { gateMessage } from './gate-message.ts';
import { cell, limited, markdownTable, type Section } from './markdown-table.ts';
import { modelTable } from './model-table.ts';
import { nextCommand } from './next-command.ts';
import { overallSentence, overallTasks } from './overall-table.ts';
import { importProvenance, provenance } from './provenance.ts';
import type { ReportOptions } from './report-options.ts';
import { resourceTable } from './resource-table.ts';
import { skillUseTable } from './skill-use-table.ts';
import { sliceTable } from './slice-table.ts';
import { uncertaintyTable } from './uncertainty-table.ts';
import { unscoredTrials } from './unscored-trials.ts';

/** A GitHub job summary may hold more, but other places that show Markdown stop near 64 kB. */
const MOST_BYTES = 64_000;
const MOST_RANGES = 3;
const MOST_PAIRS = 50;

/** report.md: the answer first, then what it rests on. Where the size limit cuts a list, the cut is said. */
export function renderMarkdown(record: Reportable, measurement: Measurement, options: ReportOptions): string {
  const sections: Section[] = [
    {
      title: `# ${isImport(record) ? record.imported.run : record.lock.experiment.name}: with Skills against without`,
      rows: answer(record, measurement, options),
    },
    { title: '', rows: headline(measurement) },
    { title: '## Uncertainty', rows: uncertaintyTable(measurement) },
    { title: '## Tasks over configurations', rows: overallTasks(measurement) },
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
    { title: '## Worse with Skills', rows: regressions(measurement, record.trials) },
    { title: '## Trials that failed', rows: failedTrials(record.trials) },
    { title: '## Trials without a verdict', rows: unscoredTrials(record.trials) },
    { title: '## Incomplete pairs', rows: incompletePairs(measurement) },
    { title: '## Slices', rows: sliceTable(measurement) },
    { title: '## Resources', rows: resourceTable(measurement.configurations) },
    { title: '## Skill use', rows: skillUseTable(measurement.configurations) },
    { title: '## Models', rows: modelTable(measurement.configurations) },
    {
      title: '## Where it comes from',
      rows: isImport(record) ? importProvenance(record) : provenance(record.lock, options),
    },
    ...measurement.configurations.map((figures) => ({
      title: `## Tasks: ${cell(figures.configuration)}`,
      rows: taskRows(figures.tasks),
    })),
    {
      title: '## Columns of trials.csv',
      rows: isImport(record) ? [] : CSV_COLUMNS.map(({ name, meaning }) => `- \`${name}\`: ${meaning}`),
    },
  ];
  return limited(sections, MOST_BYTES);
}

function answer(record: Reportable, measurement: Measurement, options: ReportOptions): string[] {
  const { counts, overall, configurations } = measurement;
  const command = nextCommand(record, measurement, options);
  const ranges = gainRanges(measurement, MOST_RANGES).map(cell);
  const sentences = configurations.slice(0, 3).map(sentence);
  return [
    ...(overall.configurations > 1 ? [overallSentence(measurement)] : sentences),
    '',
    `${sentenceCase(countsLine(record, counts))}.`,
    '',
    completeness(measurement),
    ...(ranges.length > 0
      ? ['', `Whatever the missing verdicts, the gain lies in: ${ranges.join('; ')}.`]
      : []),
    ...(command === undefined ? [] : ['', `Continue: \`${command}\``]),
  ];
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
      figures.pairs.planned === 0
        ? 'n/a'
        : `${formatCount(figures.pairs.complete)} of ${formatCount(figures.pairs.planned)}`,
      figures.arms
        .map(({ counts }) => `${formatCount(counts.unscored)} of ${formatCount(counts.planned)}`)
        .join(' / '),
      figures.pairs.planned === 0 ? 'n/a' : `${figures.flips.up} / ${figures.flips.down}`,
      `${figures.pairedTasks} of ${figures.plannedTasks} paired${figures.descriptive ? ', descriptive' : ''}`,
    ]),
  );
}

function rateOf({ arms }: ConfigurationFigures, condition: string): number | null {
  return arms.find((arm) => arm.condition === condition)?.passRate.value ?? null;
}

function definitions(): string[] {
  return [
    "- **rate**: a task's mean reward over its scored trials, then the mean over tasks (every task alike); both arms over the tasks that have a verdict in both.",
    '- **gain**: rate with minus rate without, in percentage points (pp). **normalized gain**: gain / (100 % - rate without); undefined (n/a) at 100 %, never clamped.',
    '- **unscored**: no verdict. Left out of rates, never counted as failed in silence; the bounds count it as failed and as passed, in both arms alike, over every planned trial; **gain can lie in** is the range when each may be either.',
    '- **95 % interval**: what other tasks of this kind might have shown, from how tasks differ, both arms together; n/a under two tasks, and under eight with one trial per task and arm.',
    "- **sign-flip p**: how often gains this far from 0 come about when both arms are alike; not under eight tasks. **detectable gain**: the smallest true gain that such an experiment finds in 80 of 100 goes. **trial sd**: of one trial round its task's rate; **gain sd**: of tasks' gains, by the luck of their trials and by how tasks differ.",
    '- **pairs used**: pairs of trials that differ only in condition and both have a verdict. **flips**: pairs that passed in one arm only.',
    '- **descriptive**: fewer than 8 tasks; the figures describe these tasks.',
    "- **used, not used, cannot tell**: what a harness's own output shows of a Skill in a trial; some harnesses show nothing. **not present**: it shows nothing, and the container was read back without any Skill.",
  ];
}

function gates(measurement: Measurement): string[] {
  return measurement.gates.map(
    (gate) => `- ${gate.state}: ${cell(gate.configuration)}: ${gateMessage(gate)}`,
  );
}

function incompletePairs({ incompletePairs: pairs }: Measurement): string[] {
  const row = ({ pair, missing }: (typeof pairs)[number]) => {
    const lacking = missing.map(({ trial, reason }) => `${cell(trial)} (${reason})`).join(', ');
    return `- ${cell(pair)}: ${lacking}`;
  };
  return firstRows(pairs, row, { most: MOST_PAIRS, where: 'measurement.json' });
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
    'flips up / down',
  ];
  return markdownTable(
    head,
    tasks.map(({ task, domain, difficulty, baseline, treatment, gain, normalizedGain, ...figures }) => [
      cell(task),
      cell(domain),
      cell(difficulty),
      formatRate(baseline),
      formatRate(treatment),
      formatPoints(gain),
      formatRate(normalizedGain),
      scoredText(figures.counts),
      figures.pairs.planned === 0 ? 'n/a' : `${figures.flips.up} / ${figures.flips.down}`,
    ]),
  );
}

function scoredText({ baseline, treatment }: TaskFigures['counts']): string {
  return `${baseline.scored} of ${baseline.planned} / ${treatment.scored} of ${treatment.planned}`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
