import { expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { runOf, unscored, verdict } from '../../support/synthetic-run.ts';

it('counts per arm and Skill the trials in which it was used, was not, or nobody can tell', () => {
  const run = runOf({ tasks: ['A', 'B'], trials: 2 }, ({ task, condition, index }) => {
    if (task === 'B' && index === 2) return { outcome: unscored('not-run') };
    const use = condition === 'no-skills' ? 'not-used' : index === 1 ? 'used' : 'cannot-tell';
    return { outcome: verdict(true), skillUse: [{ skill: task === 'A' ? 'beta' : 'alpha', use }] };
  });
  expect(measure(run).configurations[0]?.skillUse).toEqual([
    { condition: 'no-skills', skill: 'alpha', used: 0, notUsed: 1, cannotTell: 0 },
    { condition: 'no-skills', skill: 'beta', used: 0, notUsed: 2, cannotTell: 0 },
    { condition: 'with-skills', skill: 'alpha', used: 1, notUsed: 0, cannotTell: 0 },
    { condition: 'with-skills', skill: 'beta', used: 1, notUsed: 0, cannotTell: 1 },
  ]);
});
