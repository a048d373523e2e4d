import { expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { skillUseTable } from '../../../src/report/skill-use-table.ts';
import { runOf, verdict } from '../../support/synthetic-run.ts';

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
