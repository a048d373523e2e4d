import { expect, it } from 'vitest';
import { digestBytes } from '../../../src/base/digest.ts';
import { measure } from '../../../src/measure/measure.ts';
import { skillUseTable } from '../../../src/report/skill-use-table.ts';
import { skillUseText } from '../../../src/report/skill-use-text.ts';
import { runOf, verdict } from '../../support/synthetic-run.ts';

it('has a column for trials without the Skill in the container where there are any', () => {
  const none = digestBytes('none');
  const clean = { found: none, expected: none, skillFiles: [], violations: [] };
  const run = runOf({ tasks: ['A'] }, ({ condition }) => ({
    outcome: verdict(true),
    skillUse: [{ skill: 'alpha', use: 'cannot-tell' }],
    ...(condition === 'no-skills' ? { attestation: { before: clean, after: clean } } : {}),
  }));
  expect(skillUseTable(measure(run).configurations).filter((line) => !line.startsWith('| :'))).toEqual([
    '| configuration | arm | Skill | used | not used | cannot tell | not present |',
    '| literal | no-skills | alpha | 0 | 0 | 0 | 1 |',
    '| literal | with-skills | alpha | 0 | 0 | 1 | 0 |',
  ]);
  const [without, withIt] = run.trials.map(({ counted }) => skillUseText(counted));
  expect([without, withIt]).toEqual(['alpha: not present', 'alpha: cannot tell']);
});

it('has the stages beside the use where evidence tells them, as yes / no / cannot tell', () => {
  const run = runOf({ tasks: ['A', 'B'], conditions: ['with-skills'] }, ({ task }) => {
    const stages = { staged: 'yes', listed: 'yes', opened: 'no', scriptRun: 'cannot-tell' } as const;
    const alpha = { skill: 'alpha', use: 'not-used', stages } as const;
    const beta = { skill: 'beta', use: 'used' } as const;
    return { outcome: verdict(true), skillUse: task === 'A' ? [alpha] : [alpha, beta] };
  });
  expect(skillUseTable(measure(run).configurations).filter((line) => !line.startsWith('| :'))).toEqual([
    '| configuration | arm | Skill | used | not used | cannot tell | staged | listed | opened | script run |',
    '| literal | with-skills | alpha | 0 | 2 | 0 | 2 / 0 / 0 | 2 / 0 / 0 | 0 / 2 / 0 | 0 / 0 / 2 |',
    '| literal | with-skills | beta | 1 | 0 | 0 | n/a | n/a | n/a | n/a |',
    '',
    'Stages are trials with yes / no / cannot tell: in the container, named to the model, opened, a script of it run.',
  ]);
});
