import { expect, it } from 'vitest';
import { measure } from '../../../../src/measure/measure.ts';
import { reward, runOf, verdict } from '../../../support/synthetic-run.ts';

it('tells luck from tasks: with the same rewards in every trial all of the spread is of tasks', () => {
  const run = runOf({ tasks: ['a', 'b', 'c', 'd'], trials: 3 }, ({ task, condition }) => ({
    outcome: verdict(condition === 'with-skills' && (task === 'a' || task === 'b')),
  }));
  // Gains 1, 1, 0, 0: variance 1/3.
  expect(measure(run).configurations[0]!.noise).toEqual({
    tasks: 4,
    trialSd: 0,
    gainSdByLuck: 0,
    gainSdByTask: Math.sqrt(1 / 3),
  });
});

it('gives by hand: one pass of two is a variance of 1/2, of a rate 1/4, of a gain 1/2', () => {
  const run = runOf({ tasks: ['a', 'b'], trials: 2 }, ({ index }) => ({ outcome: verdict(index === 1) }));
  const noise = measure(run).configurations[0]!.noise!;
  expect(noise.trialSd).toBeCloseTo(Math.sqrt(0.5), 12);
  expect(noise.gainSdByLuck).toBeCloseTo(Math.sqrt(0.5), 12);
  expect(noise.gainSdByTask).toBe(0);
});

it('is undefined where no trial was repeated', () => {
  const tasks = Array.from({ length: 9 }, (_, at) => `t${at}`);
  const run = runOf({ tasks }, ({ index }) => ({ outcome: reward(index / 2) }));
  expect(measure(run).configurations[0]!.noise).toBeNull();
});
