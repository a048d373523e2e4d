import { expect, it } from 'vitest';
import { almostRightProject } from '../../../../src/cli/task-gate/gate-project.ts';
import { almostRightTrials, gateTrials, isFirst } from '../../../../src/cli/task-gate/gate-trials.ts';
import { aConfiguration, aProject, aTask } from '../../../support/project-values.ts';

const skill = { name: 's', title: 's', description: 's', dir: '/s', digest: aTask('x').digest, entries: [] };
const solution = { dir: '/tasks/with/solution', env: {} };
const almostRight = { dir: '/tasks/with/almost-right', env: {} };
const project = (trials: number) =>
  aProject({
    tasks: [
      { ...aTask('with'), skills: [skill], solution, almostRight },
      { ...aTask('without'), skills: [], solution },
    ],
    configurations: [aConfiguration('oracle'), aConfiguration('nop')],
    experiment: { trials, conditions: ['no-skills', 'with-skills'] },
  });
const ids = (trials: readonly { readonly id: string }[]) => trials.map(({ id }) => id).toSorted();

it('runs the solution in both arms and nothing in the one without Skills; a task without Skills has one arm', () => {
  expect(ids(gateTrials(project(1)))).toEqual([
    'with/no-skills/1/nop',
    'with/no-skills/1/oracle',
    'with/with-skills/1/oracle',
    'without/no-skills/1/nop',
    'without/no-skills/1/oracle',
  ]);
});

it('has nothing of a task without a solution but that doing nothing must fail', () => {
  const bare = aProject({
    tasks: [{ ...aTask('bare'), skills: [skill] }],
    configurations: [aConfiguration('oracle'), aConfiguration('nop')],
    experiment: { conditions: ['no-skills', 'with-skills'] },
  });
  expect(new Set(ids(gateTrials(bare)).map((id) => id.split('/').at(-1)))).toEqual(new Set(['nop']));
});

it('repeats what must always end alike, and the arm that only tells whether Skills are needed once', () => {
  expect(ids(gateTrials(project(2)))).toEqual([
    'with/no-skills/1/nop',
    'with/no-skills/1/oracle',
    'with/no-skills/2/nop',
    'with/with-skills/1/oracle',
    'with/with-skills/2/oracle',
    'without/no-skills/1/nop',
    'without/no-skills/1/oracle',
    'without/no-skills/2/nop',
    'without/no-skills/2/oracle',
  ]);
});

it('begins with one trial of each task, in which nothing is done', () => {
  expect(ids(gateTrials(project(3)).filter(isFirst))).toEqual([
    'with/no-skills/1/nop',
    'without/no-skills/1/nop',
  ]);
});

it('runs an almost-right solution once, in the place of the solution', () => {
  const wrong = almostRightProject(project(5));
  expect(wrong.tasks.map(({ id, solution }) => [id, solution])).toEqual([['with', almostRight]]);
  expect(ids(almostRightTrials(wrong))).toEqual(['with/with-skills/1/oracle']);
});
