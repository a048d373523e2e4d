import { expect, test } from 'vitest';
import { makePlan } from '../../../src/plan/plan.ts';
import { aConfiguration, aProject, aTask } from '../../support/project-values.ts';

const project = aProject({
  tasks: [aTask('one'), aTask('two'), aTask('three')],
  configurations: [aConfiguration('literal'), aConfiguration('nop')],
  experiment: { trials: 2, seed: 42 },
});

test('three tasks, two conditions, two configurations and two trials make 24 trials with their seed', () => {
  const planned = makePlan(project);
  expect(planned).toMatchObject({ ok: true, value: { plan: { experiment: 'test', seed: 42 } } });
  if (!planned.ok) return;
  const ids = planned.value.plan.trials.map((trial) => trial.id);
  expect(new Set(ids).size).toBe(24);
  expect(ids).toContain('two/with-skills/2/nop');
});

test('only what has a trial in the plan takes part', () => {
  const planned = makePlan(project, { selection: { tasks: ['t*'], harnesses: ['nop'] } });
  expect(planned).toMatchObject({
    ok: true,
    value: { tasks: [{ id: 'two' }, { id: 'three' }], configurations: [{ name: 'nop' }] },
  });
});

test('parts made from the same project fit together', () => {
  const ids = (index: number) => {
    const planned = makePlan(project, { shard: { index, count: 5 } });
    return planned.ok ? planned.value.plan.trials.map((trial) => trial.id) : [];
  };
  const together = [1, 2, 3, 4, 5].flatMap(ids);
  const whole = makePlan(project);
  expect(together.sort()).toEqual(
    whole.ok && whole.value.plan.trials.map((trial) => trial.id as string).sort(),
  );
});

test('an empty part is refused and the largest useful number of parts named', () => {
  const planned = makePlan(project, { shard: { index: 20, count: 20 } });
  expect(planned).toMatchObject({ ok: false, error: [{ repair: 'use at most 12 parts' }] });
});

test('a selection that fits nothing is passed on as problems', () => {
  const planned = makePlan(project, { selection: { tasks: ['four'] } });
  expect(planned).toMatchObject({ ok: false, error: [{ message: 'no task is named "four"' }] });
});
