import { expect, test } from 'vitest';
import { matchesGlob } from '../../../src/base/glob.ts';

test.each([
  ['*', '', true],
  ['*', 'anything', true],
  ['co2-trend', 'co2-trend', true],
  ['co2-trend', 'co2-trend2', false],
  ['co2*', 'co2-trend', true],
  ['*trend', 'co2-trend', true],
  ['*-*', 'co2-trend', true],
  ['c?2*', 'co2-trend', true],
  ['c?2', 'c2', false],
  ['*aab', 'aaaaab', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['', '', true],
  ['', 'x', false],
])('the pattern "%s" over "%s" says %s', (pattern, text, fits) => {
  expect(matchesGlob(pattern, text)).toBe(fits);
});

test('characters that mean something in regular expressions mean themselves', () => {
  expect(matchesGlob('a.c', 'abc')).toBe(false);
  expect(matchesGlob('gpt-4.1+(x)', 'gpt-4.1+(x)')).toBe(true);
  expect(matchesGlob('[ab]', 'a')).toBe(false);
});

test('a pattern of many stars over a long text ends at once', () => {
  expect(matchesGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(10_000))).toBe(false);
});
