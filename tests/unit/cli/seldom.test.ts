import { expect, it } from 'vitest';
import { seldom } from '../../../src/cli/seldom.ts';

it('passes the first message on at once, and then tells how many were not', () => {
  let at = 0;
  const told: string[] = [];
  const tell = seldom(
    (message) => told.push(message),
    100,
    () => at,
  );
  for (at of [0, 10, 99, 100, 150, 250]) tell(`at ${at}`);
  expect(told).toEqual([
    'at 0',
    'at 100 (and 2 more such since the last time)',
    'at 250 (and 1 more such since the last time)',
  ]);
});
