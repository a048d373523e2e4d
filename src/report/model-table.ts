import type { ConfigurationFigures, ModelFigures, ModelSum } from '../model/measurement.ts';
import { firstRows } from './first-rows.ts';
import { formatCount, formatMany, formatTokens, formatUsd } from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

const MOST_ROWS = 60;

const HEAD = [
  'configuration',
  'arm',
  'requests',
  'refused or failed',
  'input tokens',
  'of which cached',
  'output tokens',
  'US dollars',
  'scored attempts alone',
  'answered by',
];

/** What the figures are under each mode but `live`, where they are what they look like. */
const MODE_NOTES: Readonly<Record<Exclude<ModelFigures['modes'][number], 'live'>, string>> = {
  scripted:
    "Mode `scripted`: a script answered in the place of a model. The figures are a script's, no model's; its tokens are made up and have no price.",
  record: 'Mode `record`: providers answered, and every exchange was kept.',
  replay:
    'Mode `replay`: the answers were recorded earlier, and no provider was asked. The dollars are what such tokens cost on the day of the run; nobody paid them again.',
};

/** What each configuration and arm asked of models and what it came to; nothing for a run without models. */
export function modelTable(configurations: readonly ConfigurationFigures[]): string[] {
  const rows = configurations.flatMap(({ configuration, models = [] }) =>
    models.map((figures) => modelRow(configuration, figures)),
  );
  if (rows.length === 0) return [];
  const left = firstRows(rows, () => '', { most: MOST_ROWS, where: 'measurement.json' }).slice(MOST_ROWS);
  return [
    ...modeNotes(configurations),
    ...markdownTable(HEAD, rows.slice(0, MOST_ROWS)),
    ...(left.length === 0 ? [] : ['', ...left]),
    '',
    'All attempts are counted, those that were tried again too. Dollars are list prices on the day of each attempt; where a part of an attempt has no known price, the attempt has none.',
  ];
}

function modeNotes(configurations: readonly ConfigurationFigures[]): string[] {
  const modes = new Set(
    configurations.flatMap(({ models = [] }) => models.flatMap((figures) => figures.modes)),
  );
  const notes = (['scripted', 'record', 'replay'] as const)
    .filter((mode) => modes.has(mode))
    .map((mode) => MODE_NOTES[mode]);
  return notes.flatMap((note) => [note, '']);
}

function modelRow(configuration: string, figures: ModelFigures): string[] {
  const { all, scored } = figures;
  return [
    cell(configuration),
    figures.condition,
    formatCount(all.requests),
    formatCount(all.failedRequests),
    formatTokens(all.usage.input),
    formatTokens(all.usage.cachedInput),
    formatTokens(all.usage.output),
    moneyText(all, figures),
    moneyText(scored, figures),
    cell(servedText(figures)),
  ];
}

function moneyText({ usd }: ModelSum, { modes }: ModelFigures): string {
  if (modes.every((mode) => mode === 'scripted')) return 'none';
  if (usd.known === null) return 'unknown';
  const rest = usd.unknownAttempts === 0 ? '' : ` + ${formatMany(usd.unknownAttempts, 'attempt')} unknown`;
  return `${formatUsd(usd.known)}${rest}`;
}

/** The models that answered; where others were asked for, those too. */
function servedText({ askedModels, servedModels }: ModelFigures): string {
  const served = servedModels.join(', ') || 'not said';
  const asked = askedModels.join(', ');
  return asked === '' || asked === served ? served : `${served} (asked: ${asked})`;
}
