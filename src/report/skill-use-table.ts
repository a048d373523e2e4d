import type { ConfigurationFigures } from '../model/measurement.ts';
import { firstRows } from './first-rows.ts';
import { formatCount } from './format.ts';
import { cell, markdownTable } from './markdown-table.ts';

const MOST_ROWS = 60;

/** In how many trials of each configuration and arm each Skill was used, by the harnesses' own accounts. */
export function skillUseTable(configurations: readonly ConfigurationFigures[]): string[] {
  const rows = configurations.flatMap(({ configuration, skillUse }) =>
    skillUse.map(({ condition, skill, used, notUsed, cannotTell }) => [
      cell(configuration),
      condition,
      cell(skill),
      formatCount(used),
      formatCount(notUsed),
      formatCount(cannotTell),
    ]),
  );
  const head = ['configuration', 'arm', 'Skill', 'used', 'not used', 'cannot tell'];
  const left = firstRows(rows, () => '', { most: MOST_ROWS, where: 'measurement.json' }).slice(MOST_ROWS);
  return [...markdownTable(head, rows.slice(0, MOST_ROWS)), ...(left.length === 0 ? [] : ['', ...left])];
}
