import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { Plan, Trial } from '../../../src/model/trial.ts';
import { resume } from '../../../src/plan/resume.ts';
import { anAttempt, aTrial, scored, trialsOf, unscored } from '../../support/record-values.ts';

const trial = aTrial('one', 'no-skills');

function planOf(trials: Trial[]): Plan {
  return { schemaVersion: 1, experiment: 'test', seed: 0, trials };
}

function record(of: Trial, ...outcomes: Outcome[]) {
  return { trial: of, attempts: outcomes.map((outcome, place) => anAttempt(of, place + 1, outcome)) };
}

function left(outcomes: Outcome[], options = { retryUnscored: false, maxAttempts: 2 }) {
  const [next] = resume(planOf([trial]), [record(trial, ...outcomes)], options);
  return next === undefined ? undefined : [next.attempt, next.attemptsLeft];
}

test('sixty trials, 50 scored, 6 used up and 4 not run: retrying runs ten and no other', () => {
  const trials = trialsOf(Array.from({ length: 30 }, (_, place) => `task-${place}`));
  const lost = unscored('runtime-lost');
  const records = trials
    .slice(0, 56)
    .map((of, place) => record(of, ...(place < 50 ? [scored(place % 2 === 0)] : [lost, lost])));
  const ids = (retryUnscored: boolean) =>
    resume(planOf(trials), records, { retryUnscored, maxAttempts: 2 }).map(({ trial: { id } }) => id);
  expect(ids(true)).toEqual(trials.slice(50).map(({ id }) => id));
  expect(ids(false)).toEqual(trials.slice(56).map(({ id }) => id));
});

test('a trial that never ran gets attempt 1 and the whole budget', () => {
  expect(left([])).toEqual([1, 2]);
});

test('a scored trial is never run again, passed or failed, whatever came after', () => {
  expect(left([scored(false)], { retryUnscored: true, maxAttempts: 5 })).toBeUndefined();
  expect(
    left([scored(true), unscored('runtime-lost')], { retryUnscored: true, maxAttempts: 5 }),
  ).toBeUndefined();
});

test('a runner killed between two attempts goes on with the second', () => {
  expect(left([unscored('start-failed')])).toEqual([2, 1]);
});

test('a budget that is used up stays used up until somebody asks', () => {
  const twice = [unscored('start-failed'), unscored('verifier-error')];
  expect(left(twice)).toBeUndefined();
  expect(left(twice, { retryUnscored: true, maxAttempts: 2 })).toEqual([3, 2]);
});

test('what comes out the same again is not repeated unasked', () => {
  expect(left([unscored('build-failed')])).toBeUndefined();
  expect(left([unscored('provider-auth')])).toBeUndefined();
  expect(left([unscored('condition-violated')])).toBeUndefined();
  expect(left([unscored('build-failed')], { retryUnscored: true, maxAttempts: 2 })).toEqual([2, 2]);
});

test('an attempt that an interrupt ended costs nothing of the budget', () => {
  expect(left([unscored('cancelled')])).toEqual([2, 2]);
  expect(left([unscored('start-failed'), unscored('cancelled')])).toEqual([3, 1]);
});

test('a budget raised meanwhile is granted', () => {
  const twice = [unscored('start-failed'), unscored('start-failed')];
  expect(left(twice, { retryUnscored: false, maxAttempts: 4 })).toEqual([3, 2]);
});
