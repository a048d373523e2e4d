import { assertNever } from '../base/assert-never.ts';
import type { ConfigurationFigures } from '../model/measurement.ts';
import type { ResourceFigures, ResourceKind } from '../model/resource-figures.ts';
import { firstRows } from './first-rows.ts';
import { formatCount, formatDuration, formatUsd } from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

const MOST_ROWS = 60;
const HEAD = ['configuration', 'per scored trial', 'tasks', 'without', 'with', 'difference', '95 % interval'];
const NAMES: Readonly<Record<ResourceKind, string>> = {
  'agent-ms': "agent's time",
  'attempt-ms': 'time of the attempt',
  requests: 'requests to models',
  'input-tokens': 'input tokens',
  'cached-input-tokens': 'of which cached',
  'output-tokens': 'output tokens',
  usd: 'US dollars',
};

/** What trials of both arms took, and the difference paired by task. */
export function resourceTable(configurations: readonly ConfigurationFigures[]): string[] {
  const rows = configurations.flatMap(({ configuration, resources }) =>
    resources.map((figures) => row(configuration, figures)),
  );
  const left = firstRows(rows, () => '', { most: MOST_ROWS, where: 'measurement.json' }).slice(MOST_ROWS);
  return [...markdownTable(HEAD, rows.slice(0, MOST_ROWS)), ...(left.length === 0 ? [] : ['', ...left])];
}

function row(configuration: string, figures: ResourceFigures): string[] {
  const { resource, tasks, baseline, treatment, difference, differenceInterval } = figures;
  const interval =
    differenceInterval === null
      ? 'n/a'
      : `[${signed(differenceInterval.low, resource)}, ${signed(differenceInterval.high, resource)}]`;
  return [
    cell(configuration),
    NAMES[resource],
    formatCount(tasks),
    amount(baseline, resource),
    amount(treatment, resource),
    signed(difference, resource),
    interval,
  ];
}

function signed(difference: number, resource: ResourceKind): string {
  const size = amount(Math.abs(difference), resource);
  if (difference === 0) return size;
  return `${difference < 0 ? '-' : '+'}${size}`;
}

function amount(value: number, resource: ResourceKind): string {
  switch (resource) {
    case 'agent-ms':
    case 'attempt-ms':
      return formatDuration(value);
    case 'requests':
      return value.toFixed(1);
    case 'input-tokens':
    case 'cached-input-tokens':
    case 'output-tokens':
      return formatCount(Math.round(value));
    case 'usd':
      return formatUsd(value);
    default:
      return assertNever(resource);
  }
}
