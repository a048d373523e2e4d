import { join } from 'node:path';
import type { LintedTask, TaskRule } from './task-rule.ts';

/** Words that only the files of `task new` have, by the part of the task that they stand in. */
export const SCAFFOLD_WORDS = {
  instruction: 'We bill three flats by their electricity meters',
  data: 'Readings of three electricity meters.',
  tests: 'were worked out by hand from the nine readings',
  solution: 'a reading below the one before means that the register has gone past its last digit once',
  almostRight: 'a register of five digits has 100,000 states and not 99,999',
  skill: '# Usage from cumulative registers',
} as const;

/** Parts of a new task that are still the example's, in a task that is not the example any more. */
export const scaffoldLeft: TaskRule = {
  name: 'scaffold-left',
  check: (task) => {
    const left = partsLeft(task);
    // As it was made, it is sound.
    if (left.length === 0 || left.length === Object.keys(SCAFFOLD_WORDS).length) return [];
    return left.map((file) => ({
      severity: 'note' as const,
      message: 'this is still the example of "task new", though other parts of the task are not',
      where: { file },
      repair: 'write it anew for this task, or take it out',
    }));
  },
};

/** The files in which the example's words stand, one for each part. */
function partsLeft({
  dir,
  instruction,
  context,
  tests,
  solution,
  almostRight,
  skills,
}: LintedTask): string[] {
  const areas = [
    {
      words: SCAFFOLD_WORDS.instruction,
      files: [{ hostPath: join(dir, 'instruction.md'), text: instruction }],
    },
    { words: SCAFFOLD_WORDS.data, files: context },
    { words: SCAFFOLD_WORDS.tests, files: tests },
    { words: SCAFFOLD_WORDS.solution, files: solution },
    { words: SCAFFOLD_WORDS.almostRight, files: almostRight },
    { words: SCAFFOLD_WORDS.skill, files: skills.flatMap(({ files }) => files) },
  ];
  return areas.flatMap(({ words, files }) => {
    const file = files.find(({ text }) => text?.includes(words));
    return file === undefined ? [] : [file.hostPath];
  });
}
