import { expect, test } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { formatPoints, formatRate } from '../../../src/report/format.ts';
import { page, tableRows } from '../../support/pages.ts';
import { runOf, unscored, verdict } from '../../support/synthetic-run.ts';

const PAGE = page('docs/statistics.md');

test('the example by hand comes out as the page says when its table is measured', () => {
  const table = new Map(
    tableRows(PAGE, 'task').map(([task = '', without, , withSkills]) => [task, { without, withSkills }]),
  );
  const run = runOf({ tasks: [...table.keys()], trials: 3 }, ({ task, condition, index }) => {
    const letters =
      (condition === 'no-skills' ? table.get(task)?.without : table.get(task)?.withSkills) ?? '';
    const letter = letters.split(' ')[index - 1];
    return { outcome: letter === 'I' ? unscored('runtime-lost') : verdict(letter === 'P') };
  });
  const { counts, configurations } = measure(run);
  expect([counts.planned, counts.scored, counts.unscored]).toEqual([24, 23, 1]);
  const [figures] = configurations;
  const said = [
    `Pass rate without: (1/3 + 0 + 1 + 1/2) / 4 = 11/24 = ${formatRate(figures!.arms[0]!.passRate.value)}`,
    `Pass rate with: (2/3 + 1/3 + 2/3 + 1) / 4 = 2/3 = ${formatRate(figures!.arms[1]!.passRate.value)}`,
    `Gain: 2/3 - 11/24 = 5/24 = ${formatPoints(figures!.gain.value)}`,
    `= 5/13 = ${formatRate(figures!.normalizedGain.value)}`,
    `= 3/7 = ${formatRate(figures!.normalizedGain.unscoredAsFailed)}`,
    `= 1/3 = ${formatRate(figures!.normalizedGain.unscoredAsPassed)}`,
    `/ 3 = ${formatRate(figures!.meanTaskNormalizedGain.value)} over three tasks`,
  ];
  expect(said.filter((sentence) => !PAGE.text.includes(sentence))).toEqual([]);
});
