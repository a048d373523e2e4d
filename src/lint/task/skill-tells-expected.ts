import type { ContentFile, SkillContent } from '../../model/task-content.ts';
import { type ExpectedValues, expectedValues, wordsOf } from './expected-values.ts';
import { fewOf, type Remark, type TaskRule } from './task-rule.ts';

/** Longer lines are data: any value stands beside any word there. */
const LONGEST_LINE = 2000;

/** A value that the tests want, on one line of a Skill with the word that they look it up by. */
export const skillTellsExpected: TaskRule = {
  name: 'skill-tells-expected',
  check: (task) => {
    const expected = expectedValues(task.tests);
    if (expected.keys.size === 0) return [];
    const told = task.skills.map((skill) => ({ skill, hits: hitsIn(skill.files, expected) }));
    if (told.every(({ hits }) => hits.length === 0)) return [];
    const given = new Set(
      hitsIn([{ path: '', hostPath: '', size: 0, text: task.instruction }, ...task.context], expected).map(
        ({ pair }) => pair,
      ),
    );
    return told.flatMap(({ skill, hits }) =>
      remark(
        skill,
        hits.filter(({ pair }) => !given.has(pair)),
      ),
    );
  },
};

interface Hit {
  readonly file: ContentFile;
  readonly line: number;
  /** `key: value`. */
  readonly pair: string;
}

function hitsIn(files: readonly ContentFile[], { keys }: ExpectedValues): Hit[] {
  return files.flatMap((file) =>
    (file.text ?? '').split('\n').flatMap((text, index) => {
      if (text.length > LONGEST_LINE || !/\d/.test(text)) return [];
      const words = new Set(wordsOf(text));
      return [...words].flatMap((value) =>
        [...(keys.get(value) ?? [])]
          .filter((key) => words.has(key))
          .map((key) => ({ file, line: index + 1, pair: `${key}: ${value}` })),
      );
    }),
  );
}

function remark({ skill }: SkillContent, hits: readonly Hit[]): Remark[] {
  const [first] = hits;
  if (first === undefined) return [];
  const pairs = [...new Set(hits.map(({ pair }) => pair))];
  return [
    {
      severity: 'warning',
      message: `the Skill "${skill.name}" tells what the tests want: ${fewOf(pairs)}`,
      where: { file: first.file.hostPath, line: first.line },
      repair: 'keep rows and values of this one task out of the Skill; make up others for its examples',
    },
  ];
}
