import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom, shuffled } from '../../src/base/random.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { makeShare, withSharedParts } from '../../src/record/shared-values.ts';
import { trialRecord } from '../../src/record/trial-record.ts';
import { anAttempt, aTrial, scored, unscored } from '../support/record-values.ts';

const trial = aTrial('one', 'no-skills');
const outcomes = fc.constantFrom<Outcome>(
  scored(true),
  scored(false),
  unscored('runtime-lost'),
  unscored('cancelled'),
);
const histories = fc
  .array(outcomes, { maxLength: 6 })
  .map((all) => all.map((outcome, place) => anAttempt(trial, place + 1, outcome)));

test('which attempt counts does not depend on the order of records', () => {
  fc.assert(
    fc.property(histories, fc.integer(), (attempts, seed) => {
      const mixed = shuffled(attempts, seededRandom(seed));
      expect(trialRecord(trial, mixed)).toEqual(trialRecord(trial, attempts));
    }),
  );
});

test('an attempt after the first scored one never changes what counts', () => {
  fc.assert(
    fc.property(histories, histories, (before, after) => {
      const first = anAttempt(trial, before.length + 1, scored(false));
      const unscoredBefore = before.filter(({ outcome }) => outcome.kind === 'unscored');
      const later = after.map((attempt) => ({ ...attempt, attempt: attempt.attempt + before.length + 1 }));
      const { counted, outcome } = trialRecord(trial, [...unscoredBefore, first, ...later]);
      expect([counted, outcome]).toEqual([first, first.outcome]);
    }),
  );
});

test('sharing equal parts between records changes no record', () => {
  fc.assert(
    fc.property(histories, (attempts) => {
      const share = makeShare();
      const before = structuredClone(attempts);
      expect(attempts.map((attempt) => withSharedParts(attempt, share))).toEqual(before);
    }),
  );
});
