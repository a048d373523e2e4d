import { expect, it } from 'vitest';
import { digestBytes } from '../../../src/base/digest.ts';
import { measure } from '../../../src/measure/measure.ts';
import { runOf, unscored, verdict } from '../../support/synthetic-run.ts';

const DIGEST = digestBytes('none');

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

it('knows a Skill that nothing is told of to be absent where attestation found none, before and after', () => {
  const clean = { found: DIGEST, expected: DIGEST, skillFiles: [], violations: [] };
  const present = { ...clean, skillFiles: ['/home/agent/.agents/skills/alpha/SKILL.md'] };
  const told = [{ skill: 'alpha', use: 'cannot-tell' } as const];
  const run = runOf({ tasks: ['A'], trials: 3 }, ({ condition, index }) => {
    if (condition === 'with-skills')
      return { outcome: verdict(true), skillUse: told, attestation: { before: present, after: present } };
    const attestation = index === 1 ? { before: clean, after: clean } : { before: clean };
    return { outcome: verdict(true), skillUse: told, attestation };
  });
  expect(measure(run).configurations[0]?.skillUse).toEqual([
    { condition: 'no-skills', skill: 'alpha', used: 0, notUsed: 0, cannotTell: 2, notPresent: 1 },
    { condition: 'with-skills', skill: 'alpha', used: 0, notUsed: 0, cannotTell: 3 },
  ]);
});

it('counts stages over the trials whose evidence tells how far a Skill came', () => {
  const run = runOf({ tasks: ['A'], trials: 4, conditions: ['with-skills'] }, ({ index }) => {
    if (index === 4) return { outcome: verdict(true), skillUse: [{ skill: 'alpha', use: 'used' }] };
    const opened = index === 1 ? 'yes' : index === 2 ? 'no' : 'cannot-tell';
    const stages = { staged: 'yes', listed: 'yes', opened, scriptRun: 'no' } as const;
    const use = index === 1 ? 'used' : index === 2 ? 'not-used' : 'cannot-tell';
    return { outcome: verdict(true), skillUse: [{ skill: 'alpha', use, stages }] };
  });
  expect(measure(run).configurations[0]?.skillUse).toEqual([
    {
      condition: 'with-skills',
      skill: 'alpha',
      used: 2,
      notUsed: 1,
      cannotTell: 1,
      stages: {
        staged: { yes: 3, no: 0, cannotTell: 0 },
        listed: { yes: 3, no: 0, cannotTell: 0 },
        opened: { yes: 1, no: 1, cannotTell: 1 },
        scriptRun: { yes: 0, no: 3, cannotTell: 0 },
      },
    },
  ]);
});
