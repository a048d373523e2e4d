import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { runOf, unscored, verdict } from '../../support/synthetic-run.ts';

const tasks = ['a', 'b', 'c'];

describe('resources', () => {
  it('are means over tasks of scored trials, with the difference paired by task', () => {
    const seconds: Readonly<Record<string, number>> = { a: 10, b: 20, c: 60 };
    const { configurations } = measure(
      runOf({ tasks, trials: 2 }, ({ task, condition, index }) => ({
        outcome:
          condition === 'no-skills' && index === 2 && task === 'c' ? unscored('runtime-lost') : verdict(true),
        durationMs: (seconds[task] ?? 0) * 1000 + (condition === 'with-skills' ? 5000 : 0),
      })),
    );
    const [first] = configurations[0]!.resources.filter(({ resource }) => resource === 'attempt-ms');
    expect(first).toMatchObject({ tasks: 3, baseline: 30_000, treatment: 35_000, difference: 5000 });
    expect(first!.differenceInterval!.low).toBeCloseTo(5000, 6);
  });

  it('give the interval by hand: differences 1, 2 and 6 s are 3 +- 4.30265 * sqrt(7 / 3)', () => {
    const more: Readonly<Record<string, number>> = { a: 1, b: 2, c: 6 };
    const { configurations } = measure(
      runOf({ tasks }, ({ task, condition }) => ({
        outcome: verdict(true),
        durationMs: 10_000 + (condition === 'with-skills' ? (more[task] ?? 0) * 1000 : 0),
      })),
    );
    const [time] = configurations[0]!.resources.filter(({ resource }) => resource === 'attempt-ms');
    const half = 4302.65 * Math.sqrt(7 / 3);
    expect(time!.differenceInterval!.low).toBeCloseTo(3000 - half, 0);
    expect(time!.differenceInterval!.high).toBeCloseTo(3000 + half, 0);
  });

  it('leave out what nobody counted: no tokens and no dollars without a model', () => {
    const { configurations } = measure(runOf({ tasks }, () => ({ outcome: verdict(true) })));
    expect(configurations[0]!.resources.map(({ resource }) => resource)).toEqual(['agent-ms', 'attempt-ms']);
  });
});
