import type { Measurement } from '../model/measurement.ts';
import type { SliceFigures } from '../model/slice-figures.ts';
import { firstRows } from './first-rows.ts';
import { formatCount, formatInterval, formatPoints, formatProbability, formatRate } from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

const MOST_ROWS = 80;
const HEAD = ['slice', 'value', 'tasks', 'without', 'with', 'gain', '95 % interval', 'sign-flip p'];
const NOTE =
  'Tasks count with their means over configurations, configurations with all their tasks. **descriptive**: fewer than 8 tasks, or trials that chose themselves (Skill used or not): no interval and no test. Among many slices one in twenty looks like something by chance.';

/** Slices of tasks and configurations; of Skill use for a single configuration. */
export function sliceTable({ overall, configurations }: Measurement): string[] {
  const bySkillUse = configurations.flatMap(({ configuration, slices }) =>
    slices
      .filter(({ by }) => by === 'skill-use')
      .map((slice) => ({ ...slice, value: `${slice.value} (${configuration})` })),
  );
  const rows = [...overall.slices, ...bySkillUse].map(row);
  if (rows.length === 0) return [];
  const left = firstRows(rows, () => '', { most: MOST_ROWS, where: 'measurement.json' }).slice(MOST_ROWS);
  return [
    ...markdownTable(HEAD, rows.slice(0, MOST_ROWS)),
    ...(left.length === 0 ? [] : ['', ...left]),
    '',
    NOTE,
  ];
}

function row({ by, value, tasks, baseline, treatment, gain, ...slice }: SliceFigures): string[] {
  return [
    by,
    cell(value),
    formatCount(tasks),
    formatRate(baseline),
    formatRate(treatment),
    formatPoints(gain),
    slice.descriptive ? 'descriptive' : formatInterval(slice.gainInterval),
    testText(slice),
  ];
}

function testText({ descriptive, signFlip }: Pick<SliceFigures, 'descriptive' | 'signFlip'>): string {
  if (descriptive) return 'no test';
  return signFlip === null ? 'n/a' : formatProbability(signFlip.pValue);
}
