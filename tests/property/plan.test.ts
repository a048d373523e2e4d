import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob } from '../../src/base/glob.ts';
import { seededRandom, shuffled } from '../../src/base/random.ts';
import { pairKey, type Trial } from '../../src/model/trial.ts';
import { order } from '../../src/plan/order.ts';
import { pairs } from '../../src/plan/pairs.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { shardOf } from '../../src/plan/shard.ts';
import { aConfiguration, aProject, aTask } from '../support/project-values.ts';
import { trialsOf } from '../support/record-values.ts';

const seeds = fc.integer({ min: 0, max: 0xffffffff });
const trialSets = fc
  .record({
    tasks: fc.integer({ min: 1, max: 8 }),
    perArm: fc.integer({ min: 1, max: 6 }),
    configurations: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ tasks, perArm, configurations }) =>
    trialsOf(
      Array.from({ length: tasks }, (_, place) => `task-${place}`),
      perArm,
      Array.from({ length: configurations }, (_, place) => `conf-${place}`),
    ),
  );

const sortedIds = (trials: readonly Trial[]): string[] => trials.map(({ id }) => id as string).sort();

test('a plan is a permutation of the matrix', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 5 }),
      seeds,
      (tasks, trials, seed) => {
        const planned = makePlan(
          aProject({
            tasks: Array.from({ length: tasks }, (_, place) => aTask(`task-${place}`)),
            configurations: [aConfiguration('literal'), aConfiguration('nop')],
            experiment: { trials, seed },
          }),
        );
        const each = <T>(items: readonly T[], path: string) => items.map((item) => `${path}${item}`);
        const numbers = (count: number) => Array.from({ length: count }, (_, place) => place);
        const expected = each(numbers(tasks), 'task-')
          .flatMap((path) => each(['no-skills', 'with-skills'], `${path}/`))
          .flatMap((path) =>
            each(
              numbers(trials).map((index) => index + 1),
              `${path}/`,
            ),
          )
          .flatMap((path) => each(['literal', 'nop'], `${path}/`));
        expect(planned.ok && sortedIds(planned.value.plan.trials)).toEqual(expected.sort());
      },
    ),
  );
});

test('the order depends on the set of trials and the seed, not on how they came', () => {
  fc.assert(
    fc.property(trialSets, seeds, seeds, (trials, seed, other) => {
      expect(order(shuffled(trials, seededRandom(other)), seed)).toEqual(order(trials, seed));
    }),
  );
});

test('arms of a pair are adjacent, and who goes first is even to within one in every block, configuration and run', () => {
  fc.assert(
    fc.property(trialSets, seeds, (trials, seed) => {
      const ordered = order(trials, seed);
      for (let place = 0; place < ordered.length; place += 2)
        expect(pairKey(ordered[place] as Trial)).toBe(pairKey(ordered[place + 1] as Trial));
      const groups = [
        [ordered],
        [...Map.groupBy(ordered, ({ configuration }) => configuration).values()],
        [...Map.groupBy(ordered, ({ configuration, task }) => `${configuration} ${task}`).values()],
      ].flat();
      for (const group of groups) {
        const heads = pairs(group).map(([head]) => head.condition);
        const lead = heads.filter((condition) => condition === 'no-skills').length;
        expect(Math.abs(2 * lead - heads.length)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('parts are disjoint, together the plan, whole in pairs, and differ by one pair at most', () => {
  fc.assert(
    fc.property(trialSets, seeds, fc.integer({ min: 1, max: 12 }), (trials, seed, count) => {
      const ordered = order(trials, seed);
      const parts = Array.from({ length: count }, (_, place) =>
        shardOf(ordered, { index: place + 1, count }),
      );
      expect(sortedIds(parts.flat())).toEqual(sortedIds(trials));
      const sizes = parts.map((part) => {
        for (const pair of pairs(part)) expect(pair).toHaveLength(2);
        return pairs(part).length;
      });
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a glob fits exactly what the regular expression of the same meaning fits', () => {
  const letters = (extra: string) => fc.string({ unit: fc.constantFrom('a', 'b', ...extra), maxLength: 10 });
  fc.assert(
    fc.property(letters('*?'), letters(''), (pattern, text) => {
      const meaning = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(matchesGlob(pattern, text)).toBe(meaning.test(text));
    }),
    { numRuns: 2000 },
  );
});
