import { expect, test } from 'vitest';
import { makeRunId } from '../../../src/record/run-id.ts';

test('a run id says what ran and when, in UTC', () => {
  expect(makeRunId('demo', new Date('2026-03-01T10:15:30.987Z'), 'k3x9')).toBe('demo-20260301-101530-k3x9');
});

test('the longest experiment name still makes a valid id', () => {
  expect(makeRunId('e'.repeat(40), new Date(0), 'abcd')).toHaveLength(40 + 1 + 15 + 1 + 4);
});

test('a suffix with other characters is refused', () => {
  expect(() => makeRunId('demo', new Date(0), 'A/B')).toThrow('a run id has lower-case letters');
});
