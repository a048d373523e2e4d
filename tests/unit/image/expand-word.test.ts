// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of Dockerfiles.
import { expect, test } from 'vitest';
import { expandWord } from '../../../src/image/expand-word.ts';

const variables = new Map([
  ['A', 'one'],
  ['EMPTY', ''],
  ['B_2', 'two'],
]);

test.each([
  ['plain', 'plain'],
  ['$A/x', 'one/x'],
  ['${A}x', 'onex'],
  ['$B_2', 'two'],
  ['$UNSET/x', '/x'],
  ['${UNSET:-word}', 'word'],
  ['${EMPTY:-word}', 'word'],
  ['${EMPTY-word}', ''],
  ['${A:-word}', 'one'],
  ['${A:+other}', 'other'],
  ['${UNSET:+other}', ''],
  ['${UNSET:-${A}/y}', 'one/y'],
  ['"$A b"', 'one b'],
  ["'$A b'", '$A b'],
  ['\\$A', '$A'],
  ['"a\\"b"', 'a"b'],
  ['"a\\nb"', 'a\\nb'],
  ['a\\ b', 'a b'],
  ['$', '$'],
  ['100$', '100$'],
  ['${broken', '${broken'],
])('%s is read as %s', (word, expected) => {
  expect(expandWord(word, variables)).toBe(expected);
});

test('the escape directive changes what escapes', () => {
  expect(expandWord('C:\\dir`$A', variables, '`')).toBe('C:\\dir$A');
});
