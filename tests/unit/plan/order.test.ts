import { expect, test } from 'vitest';
import type { Trial } from '../../../src/model/trial.ts';
import { order } from '../../../src/plan/order.ts';
import { pairs } from '../../../src/plan/pairs.ts';
import { trialsOf } from '../../support/record-values.ts';

/** How many pairs start with each condition. */
function firsts(trials: readonly Trial[]): Record<string, number> {
  const counts: Record<string, number> = { 'no-skills': 0, 'with-skills': 0 };
  for (const [first] of pairs(trials)) counts[first.condition] = (counts[first.condition] ?? 0) + 1;
  return counts;
}

test('arms of a pair stand next to each other', () => {
  const ordered = order(trialsOf(['a', 'b', 'c'], 3, ['x', 'y']), 7);
  for (let place = 0; place < ordered.length; place += 2) {
    const [one, other] = ordered.slice(place, place + 2);
    expect([one?.task, one?.index, one?.configuration]).toEqual([
      other?.task,
      other?.index,
      other?.configuration,
    ]);
    expect(one?.condition).not.toBe(other?.condition);
  }
});

test('with an even number of trials each arm is first equally often in every task and configuration', () => {
  const ordered = order(trialsOf(['a', 'b', 'c'], 4, ['x', 'y']), 1);
  for (const task of ['a', 'b', 'c'])
    for (const configuration of ['x', 'y']) {
      const block = ordered.filter((trial) => trial.task === task && trial.configuration === configuration);
      expect(firsts(block)).toEqual({ 'no-skills': 2, 'with-skills': 2 });
    }
});

test('with one trial per arm the tasks share out who goes first', () => {
  const tasks = Array.from({ length: 10 }, (_, place) => `task-${place}`);
  expect(firsts(order(trialsOf(tasks), 3))).toEqual({ 'no-skills': 5, 'with-skills': 5 });
});

test('odd blocks differ by one at most within a configuration', () => {
  const ordered = order(trialsOf(['a', 'b', 'c'], 3, ['x', 'y']), 5);
  for (const configuration of ['x', 'y']) {
    const counts = firsts(ordered.filter((trial) => trial.configuration === configuration));
    expect(Object.values(counts).sort()).toEqual([4, 5]);
  }
});

test('the seed decides the order, and who gets the odd one', () => {
  const trials = trialsOf(['a', 'b', 'c', 'd', 'e']);
  const ids = (seed: number) => order(trials, seed).map((trial) => trial.id);
  expect(ids(1)).toEqual(ids(1));
  expect(ids(1)).not.toEqual(ids(2));
  const oddOnes = new Set(
    Array.from({ length: 20 }, (_, seed) => JSON.stringify(firsts(order(trials, seed)))),
  );
  expect(oddOnes.size).toBe(2);
});

test('trials of a task do not stay together: a slow hour meets many tasks', () => {
  const tasks = order(trialsOf(['a', 'b', 'c', 'd'], 8), 0).map((trial) => trial.task);
  const changes = tasks.filter((task, place) => place > 0 && tasks[place - 1] !== task).length;
  expect(changes).toBeGreaterThan(8);
});
