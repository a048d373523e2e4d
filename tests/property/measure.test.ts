import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.ts';
import { seededRandom, shuffled } from '../../src/base/random.ts';
import { measure } from '../../src/measure/measure.ts';
import { Measurement } from '../../src/model/measurement.ts';
import { reward, runOf, unscored } from '../support/synthetic-run.ts';

/** A reward, or no verdict. */
const letter = fc.oneof(
  fc.constantFrom(0, 1),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constant(undefined),
);
const run = fc
  .record({ tasks: fc.integer({ min: 1, max: 5 }), trials: fc.integer({ min: 1, max: 3 }) })
  .chain(({ tasks, trials }) =>
    fc.array(letter, { minLength: tasks * trials * 2, maxLength: tasks * trials * 2 }).map((letters) => {
      let next = 0;
      const names = Array.from({ length: tasks }, (_, index) => `t${index}`);
      return runOf({ tasks: names, trials }, () => {
        const value = letters[next++];
        return { outcome: value === undefined ? unscored('runtime-lost') : reward(value) };
      });
    }),
  );

describe('measure', () => {
  it('changes no digit whatever the order of the records', () => {
    fc.assert(
      fc.property(run, fc.integer(), (record, seed) => {
        const trials = shuffled(record.trials, seededRandom(seed));
        expect(canonicalJson(measure({ ...record, trials }))).toBe(canonicalJson(measure(record)));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps planned = scored + unscored, complete pairs within planned ones, and its schema', () => {
    fc.assert(
      fc.property(run, (record) => {
        const measurement = Measurement.parse(measure(record));
        const { counts, incompletePairs } = measurement;
        expect(counts.scored + counts.unscored).toBe(record.trials.length);
        const { pairs } = measurement.configurations[0] ?? { pairs: { planned: 0, complete: 0 } };
        expect(pairs.complete + incompletePairs.length).toBe(pairs.planned);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the gain with the unscored as failed, and as passed, within the range that any verdicts could give', () => {
    fc.assert(
      fc.property(run, (record) => {
        const figures = measure(record).configurations[0];
        const { low, high } = figures?.gainRange ?? { low: Number.NaN, high: Number.NaN };
        for (const bound of [figures?.gain.unscoredAsFailed, figures?.gain.unscoredAsPassed]) {
          expect(bound).toBeGreaterThanOrEqual(low - 1e-12);
          expect(bound).toBeLessThanOrEqual(high + 1e-12);
        }
      }),
      { numRuns: 60 },
    );
  });
});
