import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom, shuffled } from '../../src/base/random.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Plan } from '../../src/model/trial.ts';
import { resume } from '../../src/plan/resume.ts';
import { anAttempt, scored, trialsOf, unscored } from '../support/record-values.ts';

const trials = trialsOf(['a', 'b', 'c', 'd'], 3);
const plan: Plan = { schemaVersion: 1, experiment: 'test', seed: 0, trials };
const KINDS = ['passed', 'failed', 'start-failed', 'build-failed', 'cancelled'] as const;

function outcomeOf(kind: (typeof KINDS)[number]): Outcome {
  return kind === 'passed' || kind === 'failed' ? scored(kind === 'passed') : unscored(kind);
}

/** For each trial the attempts on record; many have none. */
const histories = fc
  .array(fc.array(fc.constantFrom(...KINDS), { maxLength: 4 }), {
    minLength: trials.length,
    maxLength: trials.length,
  })
  .map((all) =>
    all.flatMap((kinds, place) => {
      const trial = trials[place];
      if (trial === undefined || kinds.length === 0) return [];
      return [{ trial, attempts: kinds.map((kind, at) => anAttempt(trial, at + 1, outcomeOf(kind))) }];
    }),
  );
const options = fc.record({ retryUnscored: fc.boolean(), maxAttempts: fc.integer({ min: 1, max: 4 }) });

test('what is left and what is recorded are together the plan, and what is scored is never left', () => {
  fc.assert(
    fc.property(histories, options, (records, wish) => {
      const left = new Set(resume(plan, records, wish).map(({ trial }) => trial.id));
      const recorded = new Map(records.map(({ trial, attempts }) => [trial.id, attempts]));
      for (const { id } of trials) {
        const attempts = recorded.get(id) ?? [];
        const isScored = attempts.some(({ outcome }) => outcome.kind === 'scored');
        if (isScored) expect(left.has(id)).toBe(false);
        else if (attempts.length === 0 || wish.retryUnscored) expect(left.has(id)).toBe(true);
      }
    }),
  );
});

test('what is left stands in plan order and does not depend on the order of records or attempts', () => {
  fc.assert(
    fc.property(histories, options, fc.integer(), (records, wish, seed) => {
      const left = resume(plan, records, wish);
      const mixed = shuffled(records, seededRandom(seed)).map(({ trial, attempts }) => ({
        trial,
        attempts: shuffled(attempts, seededRandom(seed)),
      }));
      expect(resume(plan, mixed, wish)).toEqual(left);
      const places = left.map(({ trial }) => trials.indexOf(trial));
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }),
  );
});

test('attempt numbers never collide and the budget is never exceeded unasked', () => {
  fc.assert(
    fc.property(histories, options, (records, wish) => {
      const recorded = new Map(records.map(({ trial, attempts }) => [trial.id, attempts]));
      for (const { trial, attempt, attemptsLeft } of resume(plan, records, wish)) {
        const attempts = recorded.get(trial.id) ?? [];
        expect(attempts.map((record) => record.attempt)).not.toContain(attempt);
        const spent = attempts.filter(
          ({ outcome }) => outcome.kind === 'unscored' && outcome.reason !== 'cancelled',
        ).length;
        expect(attemptsLeft).toBeGreaterThan(0);
        expect(attemptsLeft).toBeLessThanOrEqual(
          wish.retryUnscored ? wish.maxAttempts : wish.maxAttempts - spent,
        );
      }
    }),
  );
});

test('a run that is carried out leaves nothing to resume', () => {
  fc.assert(
    fc.property(histories, options, (records, wish) => {
      const recorded = new Map(records.map(({ trial, attempts }) => [trial.id, [...attempts]]));
      for (const { trial, attempt } of resume(plan, records, wish))
        recorded.set(trial.id, [...(recorded.get(trial.id) ?? []), anAttempt(trial, attempt, scored(true))]);
      const done = trials.map((trial) => ({ trial, attempts: recorded.get(trial.id) ?? [] }));
      expect(resume(plan, done, { ...wish, retryUnscored: false })).toEqual([]);
    }),
  );
});
