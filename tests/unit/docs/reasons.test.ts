import { expect, test } from 'vitest';
import { UNSCORED_REASONS, UnscoredReason } from '../../../src/model/outcome.ts';
import { isRepeatable } from '../../../src/model/repeatable.ts';
import { page, tableRows } from '../../support/pages.ts';

const rows = tableRows(page('docs/troubleshooting.md'), 'reason');

test('troubleshooting has every reason for which a trial has no verdict, in order, with its meaning', () => {
  expect(rows.map(([reason, meaning]) => [reason, meaning])).toEqual(Object.entries(UNSCORED_REASONS));
});

test('it says of each whether a further attempt follows by itself', () => {
  const said = rows.map(([reason, , again]) => [reason, again]);
  expect(said).toEqual(UnscoredReason.options.map((reason) => [reason, isRepeatable(reason) ? 'yes' : 'no']));
});

test('it says of each what to do', () => {
  expect(rows.filter(([, , , whatToDo = '']) => !/[a-z].*\.$/.test(whatToDo))).toEqual([]);
});
