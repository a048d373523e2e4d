import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { modelFamily, taskSlices } from '../../../src/measure/slice-keys.ts';
import type { LockedTask } from '../../../src/model/run-lock.ts';
import { type Planned, runOf, verdict } from '../../support/synthetic-run.ts';

const TASKS = Array.from({ length: 20 }, (_, at) => `t${String(at).padStart(2, '0')}`);
const at = (task: string) => Number(task.slice(1));

/** Twenty tasks, twelve of domain `one` that Skills solve, eight of `two` that nobody does. */
function run(
  configurations = ['h@gpt-5'],
  outcome = (trial: Planned) => trial.condition === 'with-skills' && at(trial.task) < 12,
) {
  const made = runOf({ tasks: TASKS, configurations }, (trial) => ({
    outcome: verdict(outcome(trial)),
    ...(trial.condition === 'with-skills'
      ? {
          skillUse: [
            { skill: 'alpha', use: at(trial.task) % 2 === 0 ? ('used' as const) : ('not-used' as const) },
          ],
        }
      : {}),
  }));
  const tasks = made.lock.tasks.map((task): LockedTask => {
    const { metadata, skills } = task;
    const domain = at(task.id) < 12 ? 'one' : 'two';
    const bundle = Array.from({ length: (at(task.id) % 5) + 1 }, (_, skill) => ({
      ...skills[0]!,
      name: `s${skill}`,
      skillFileBytes: 100 * (at(task.id) + 1),
    }));
    return { ...task, skills: bundle, metadata: { ...metadata, domain } };
  });
  return { ...made, lock: { ...made.lock, tasks } };
}

const slicesBy = (by: string, slices: ReturnType<typeof measure>['overall']['slices']) =>
  slices.filter((slice) => slice.by === by);

describe('slices', () => {
  it('give means over the tasks of each domain, with a test from eight tasks on', () => {
    const { overall } = measure(run());
    expect(slicesBy('domain', overall.slices)).toMatchObject([
      {
        value: 'one',
        tasks: 12,
        baseline: 0,
        treatment: 1,
        gain: 1,
        descriptive: false,
        signFlip: { pValue: 2 / 2 ** 12 },
      },
      { value: 'two', tasks: 8, gain: 0, descriptive: false, signFlip: { pValue: 1 } },
    ]);
  });

  it('are descriptive under eight tasks: no interval and no test', () => {
    const [one, ...others] = slicesBy('skills', measure(run()).overall.slices);
    expect(one).toMatchObject({
      value: '1',
      tasks: 4,
      descriptive: true,
      gainInterval: null,
      signFlip: null,
    });
    expect(others.map(({ value, tasks }) => [value, tasks])).toEqual([
      ['2 to 3', 8],
      ['4 and more', 8],
    ]);
  });

  it('leave out kinds in which all tasks are alike', () => {
    expect(slicesBy('difficulty', measure(run()).overall.slices)).toEqual([]);
  });

  it('cut the length of SKILL.md at percentiles 25, 50 and 95 of the tasks', () => {
    const sized = run().lock.tasks.map((task, position) => ({
      ...task,
      skills: [{ ...task.skills[0]!, skillFileBytes: position + 1 }],
    }));
    const lengths = taskSlices(sized).find(({ by }) => by === 'skill-length')!;
    // 1 to 20 bytes: linear percentiles by the rank 0.25 * 20 and so on are 5.5, 10.5 and 19.5, rounded.
    const counts = lengths.values.map(
      (value) => [...lengths.valueByTask.values()].filter((one) => one === value).length,
    );
    expect(lengths.values[0]).toMatch(/^up to \d+ bytes \(p25\)$/);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(counts.every((count) => count >= 1)).toBe(true);
  });

  it('of single configurations have intervals and no test', () => {
    const [figures] = measure(run()).configurations;
    expect(slicesBy('domain', figures!.slices)).toMatchObject([
      { value: 'one', gainInterval: { high: 1 }, signFlip: null },
      { value: 'two', signFlip: null },
    ]);
  });

  it('of Skill use compare trials that chose themselves with the whole baseline, and only describe', () => {
    const [figures] = measure(run()).configurations;
    expect(slicesBy('skill-use', figures!.slices)).toMatchObject([
      { value: 'used', tasks: 10, treatment: 0.6, descriptive: true, signFlip: null },
      { value: 'not-used', tasks: 10, treatment: 0.6, descriptive: true, signFlip: null },
    ]);
  });

  it('of configurations go by harness and by family of the model', () => {
    const configurations = ['h@gpt-5', 'h@claude-opus-4', 'i@gpt-4-mini'];
    const { overall } = measure(
      run(
        configurations,
        ({ condition, configuration }) => condition === 'with-skills' && configuration === 'h@gpt-5',
      ),
    );
    expect(slicesBy('harness', overall.slices)).toMatchObject([
      { value: 'h', gain: 0.5 },
      { value: 'i', gain: 0 },
    ]);
    expect(slicesBy('model-family', overall.slices)).toMatchObject([
      { value: 'claude', gain: 0 },
      { value: 'gpt', gain: 0.5 },
    ]);
  });
});

it.each([
  ['GPT-5.5', 'gpt'],
  ['openai/gpt-5-mini', 'gpt'],
  ['Opus 4.7', 'claude'],
  ['claude-sonnet-4-5', 'claude'],
  ['Gemini 3.1 Pro', 'gemini'],
  [undefined, 'unknown'],
])('takes %s for the family %s', (model, family) => {
  expect(modelFamily(model)).toBe(family);
});
