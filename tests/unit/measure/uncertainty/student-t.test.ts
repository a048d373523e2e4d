import { expect, it } from 'vitest';
import { studentBelow, studentQuantile } from '../../../../src/measure/uncertainty/student-t.ts';

/** From printed tables of Student's distribution. */
it.each([
  [0.975, 1, 12.7062],
  [0.975, 2, 4.30265],
  [0.975, 9, 2.26216],
  [0.975, 30, 2.04227],
  [0.975, 120, 1.97993],
  [0.95, 4, 2.13185],
  [0.995, 10, 3.16927],
  [0.8, 9, 0.8834],
])('gives the tabled quantile %f for %i degrees of freedom', (probability, freedom, value) => {
  expect(studentQuantile(probability, freedom)).toBeCloseTo(value, 4);
});

it('comes near the normal quantile for many degrees of freedom', () => {
  expect(studentQuantile(0.975, 100_000)).toBeCloseTo(1.95999, 4);
});

it('is half at 0, and Cauchy with one degree of freedom: 3/4 at 1', () => {
  expect(studentBelow(0, 7)).toBeCloseTo(0.5, 12);
  expect(studentBelow(1, 1)).toBeCloseTo(0.75, 12);
});
