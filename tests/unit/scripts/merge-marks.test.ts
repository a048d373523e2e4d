import { expect, it } from 'vitest';
import { mergeMarks } from '../../../scripts/merge-marks.ts';

it('finds the marks of a merge that nobody settled, also where only the middle one was left', () => {
  expect(mergeMarks('- a\n<<<<<<< HEAD\n- b\n=======\n- c\n>>>>>>> other\n')).toEqual([2, 4, 6]);
  expect(mergeMarks('- a\n  more\n=======\n- c\n')).toEqual([3]);
});

it('leaves the underline of a heading alone', () => {
  expect(mergeMarks('A title\n=======\n\n=> so\n')).toEqual([]);
});
