import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/trial.ts';
import { renderPlan } from '../../../src/report/plan-table.ts';

function planOf(tasks: readonly string[]): Plan {
  const trials = tasks.map((task) => ({
    id: `${task}/no-skills/1/nop`,
    task,
    condition: 'no-skills',
    configuration: 'nop',
    index: 1,
  }));
  return { schemaVersion: 1, experiment: 'demo', seed: 7, trials } as unknown as Plan;
}

describe('the table of a plan', () => {
  it('has a line for each trial, in columns as wide as their longest cell', () => {
    const text = renderPlan({ plan: planOf(['a-long-task', 'b']), images: [{ what: 'base', exists: true }] });
    expect(text.split('\n')).toEqual([
      '2 trials, 2 tasks, 1 condition, 1 configuration, seed 7',
      '',
      '#  task         condition  trial  configuration',
      '1  a-long-task  no-skills  1      nop',
      '2  b            no-skills  1      nop',
      '',
      'there: base',
    ]);
  });

  it('has every line of a plan of ten thousand trials', () => {
    const tasks = Array.from({ length: 10_000 }, (_, place) => `task-${place}`);
    const lines = renderPlan({ plan: planOf(tasks), images: [] }).split('\n');
    expect(lines[3 + 9_999]).toBe('10000  task-9999  no-skills  1      nop');
  });
});
