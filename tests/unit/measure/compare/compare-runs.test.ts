import { describe, expect, it } from 'vitest';
import { type ComparedRun, compareRuns } from '../../../../src/measure/compare/compare-runs.ts';
import { Comparison } from '../../../../src/model/comparison.ts';
import type { RunRecord } from '../../../../src/model/run-record.ts';
import { type Planned, reward, runOf, type SyntheticPlan, unscored } from '../../../support/synthetic-run.ts';

type Rewards = Readonly<Record<string, readonly (number | undefined)[]>>;

/** A run whose with-skills rewards are given by task, trial by trial (`undefined`: no verdict); the other arm always fails. */
function run(rewards: Rewards, plan: Partial<SyntheticPlan> = {}): RunRecord {
  const trials = Math.max(...Object.values(rewards).map((list) => list.length));
  return runOf({ tasks: Object.keys(rewards), trials, ...plan }, ({ task, condition, index }: Planned) => {
    const value = condition === 'no-skills' ? 0 : rewards[task]?.[index - 1];
    return { outcome: value === undefined ? unscored('start-failed') : reward(value) };
  });
}

function compared(
  record: RunRecord,
  name: string,
  digests: Readonly<Record<string, string>> = {},
): ComparedRun {
  const { lock, trials } = record;
  return {
    name,
    results: { trials },
    configurations: lock.configurations,
    taskDigests: new Map(lock.tasks.map(({ id, digest }) => [id, digests[id] ?? digest])),
    seed: 7,
  };
}

const between = (before: Rewards, after: Rewards) =>
  compareRuns(compared(run(before), 'one'), compared(run(after), 'two'));

describe('two runs of the same tasks', () => {
  const comparison = between(
    { a: [1, 1], b: [0, 0], c: [1, 0], d: [1, 1], e: [0.5, 0.5], f: [undefined, undefined] },
    { a: [0, 0], b: [1, 1], c: [0, 0], d: [1, 1], e: [0.5, 1], f: [1, 1] },
  );
  const [configuration] = comparison.configurations;

  it('say of each task how it moved, and whether that may be chance', () => {
    const cells = configuration?.tasks.filter(({ condition }) => condition === 'with-skills');
    expect(cells?.map(({ task, movement, change, unsteady }) => [task, movement, change, unsteady])).toEqual([
      ['a', 'lost', -1, false],
      ['b', 'won', 1, false],
      ['c', 'lower', -0.5, true],
      ['d', 'same', 0, false],
      ['e', 'higher', 0.25, true],
      ['f', 'inconclusive', null, false],
    ]);
  });

  it('have figures over the tasks that both have a verdict on, to the digit', () => {
    const [without, withSkills] = configuration?.arms ?? [];
    expect(without).toMatchObject({
      condition: 'no-skills',
      figure: { tasks: 6, before: 0, after: 0, change: 0, signFlip: null },
    });
    // Before: (1 + 0 + 1/2 + 1 + 1/2) / 5; after: (0 + 1 + 0 + 1 + 3/4) / 5.
    expect(withSkills?.figure.tasks).toBe(5);
    expect(withSkills?.figure.before).toBeCloseTo(0.6, 12);
    expect(withSkills?.figure.after).toBeCloseTo(0.55, 12);
    expect(withSkills?.figure.change).toBeCloseTo(-0.05, 12);
    expect(configuration?.gain).toMatchObject({ tasks: 5, signFlip: null });
    expect(configuration?.gain.change).toBeCloseTo(-0.05, 12);
  });

  it('are a comparison as its schema has it', () => {
    expect(Comparison.parse({ ...comparison, changed: [] })).toEqual({ ...comparison, changed: [] });
  });
});

describe('a change over tasks', () => {
  const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const all = (value: number) => Object.fromEntries(tasks.map((task) => [task, [value]]));
  const withSkills = (before: Rewards, after: Rewards) =>
    between(before, after).configurations[0]?.arms[1]?.figure;

  it('has the exact sign-flip test: of 1,024 patterns two are as far from 0 as ten losses', () => {
    const figure = withSkills(all(1), all(0));
    expect(figure?.signFlip).toEqual({ pValue: 2 / 1024, method: 'exact', patterns: 1024 });
    expect(figure?.interval?.high).toBeLessThan(0);
  });

  it('of one task among ten may be chance: the interval holds 0, and p is 1', () => {
    const figure = withSkills(all(1), { ...all(1), a: [0] });
    expect(figure?.change).toBeCloseTo(-0.1, 12);
    expect(figure?.signFlip?.pValue).toBe(1);
    expect(figure?.interval?.high).toBeGreaterThan(0);
  });
});

describe('what cannot be compared', () => {
  it('is a task with other files: named, and in no figure', () => {
    const [before, after] = [run({ a: [1], b: [1] }), run({ a: [0], b: [1] })];
    const comparison = compareRuns(compared(before, 'one'), compared(after, 'two', { a: 'other' }));
    expect(comparison.otherTasks).toEqual(['a']);
    expect(comparison.configurations[0]?.tasks.map(({ task }) => task)).toEqual(['b', 'b']);
    expect(comparison.configurations[0]?.gain.tasks).toBe(1);
  });

  it('is what one run alone has: named on its side', () => {
    const comparison = compareRuns(
      compared(run({ a: [1], b: [1] }, { configurations: ['one@m', 'old@m'] }), 'one'),
      compared(run({ b: [1], c: [1] }, { configurations: ['one@m', 'new@m'] }), 'two'),
    );
    expect(comparison.onlyBefore).toEqual({ tasks: ['a'], configurations: ['old@m'] });
    expect(comparison.onlyAfter).toEqual({ tasks: ['c'], configurations: ['new@m'] });
  });
});

describe('configurations', () => {
  const pairs = (before: readonly string[], after: readonly string[]) =>
    compareRuns(
      compared(run({ a: [1] }, { configurations: before }), 'one'),
      compared(run({ a: [1] }, { configurations: after }), 'two'),
    ).configurations.map((one) => [one.before, one.after]);

  it('are matched by name, and where a harness has one other model by that', () => {
    expect(pairs(['codex@a', 'nop'], ['codex@b', 'nop'])).toEqual([
      ['codex@a', 'codex@b'],
      ['nop', 'nop'],
    ]);
  });

  it('are not matched where more than one could be meant', () => {
    expect(pairs(['codex@a'], ['codex@b', 'codex@c'])).toEqual([]);
    expect(pairs(['codex@a', 'codex@b'], ['codex@c'])).toEqual([]);
  });

  it('of control harnesses are told as such', () => {
    const { configurations } = compareRuns(
      compared(run({ a: [1] }, { configurations: ['oracle', 'codex@a'] }), 'one'),
      compared(run({ a: [1] }, { configurations: ['oracle', 'codex@a'] }), 'two'),
    );
    expect(configurations.map(({ after, control }) => [after, control])).toEqual([
      ['codex@a', false],
      ['oracle', true],
    ]);
  });
});
