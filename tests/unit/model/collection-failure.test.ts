import { expect, it } from 'vitest';
import {
  collectionAdvice,
  collectionFailureIn,
  collectionFailureText,
  collectionLine,
} from '../../../src/model/collection-failure.ts';

it.each([
  { file: 'test_a.py', what: "SyntaxError: '(' was never closed (test_a.py, line 12)" },
  { file: 'sub/test_a.py', what: "ModuleNotFoundError: No module named 'pandas' (test_a.py, line 3)" },
  { file: 'test_a.py', what: 'ValueError: it could not be collected (yet): (really)' },
  { file: 'test_a.py', what: "FileNotFoundError: [Errno 2] No such file: '/a)b'" },
])('what cannot be collected is read back from its sentence: $what', (failure) => {
  expect(collectionFailureIn(collectionFailureText(failure))).toEqual(failure);
});

it.each(['the verifier left no report', 'pytest failed inside: boom', ' could not be collected (x)'])(
  'nothing is read from another text: %s',
  (text) => {
    expect(collectionFailureIn(text)).toBeUndefined();
  },
);

it('a missing module is told as one, and not only as work of the agent', () => {
  const advice = collectionAdvice({
    file: 'test_a.py',
    what: "ModuleNotFoundError: No module named 'pandas'",
  });
  expect(advice).toContain('has no module "pandas": install it in the task\'s Dockerfile');
});

it('a line is named where it is one of the test file itself', () => {
  const line = (file: string) =>
    collectionLine({ file, what: 'SyntaxError: invalid syntax (test_a.py, line 7)' });
  expect([line('test_a.py'), line('sub/test_a.py'), line('test_b.py')]).toEqual([7, 7, undefined]);
});
