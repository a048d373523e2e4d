import { posix } from 'node:path';
import type { ContentFile, SkillContent } from '../../model/task-content.ts';
import { byDigest, LEAST_IDENTICAL } from './folder-contents.ts';
import { assertedNumbers } from './instruction-answers.ts';
import {
  type Literal,
  linesAmong,
  significantLines,
  tellingFileNames,
  tellingNumbers,
} from './significant-text.ts';
import { fewOf, hiddenFiles, type LintedTask, type Remark, type TaskRule } from './task-rule.ts';

/** Fewer lines in common are no sign. */
const LEAST_LINES = 8;
const LEAST_SHARE = 0.2;
const LEAST_TEST_LINES = 10;

/** A file of a Skill that tests or a solution have too. */
export const skillHoldsTaskFile: TaskRule = {
  name: 'skill-holds-task-file',
  check: (task) => {
    const theirs = byDigest(hiddenFiles(task));
    const given = byDigest(task.context);
    return task.skills.flatMap(({ skill, files }) =>
      files.flatMap((file): Remark[] => {
        const same = theirs.get(file.digest ?? '');
        if (same === undefined || file.size < LEAST_IDENTICAL || given.has(file.digest ?? '')) return [];
        return [
          {
            severity: 'warning',
            score: 1,
            message: `the Skill "${skill.name}" holds ${file.path}, byte for byte ${same.path}`,
            where: { file: file.hostPath },
            repair: 'teach the work, not the answer: keep what judges or solves the task out of the Skill',
          },
        ];
      }),
    );
  },
};

/** How much of the solution, or of the tests, stands in the Skills word for word. */
export const skillSharesLines: TaskRule = {
  name: 'skill-shares-lines',
  check: (task) => (['solution', 'tests'] as const).flatMap((part) => sharedLines(part, task)),
};

function sharedLines(part: 'solution' | 'tests', task: LintedTask): Remark[] {
  const all = task[part].flatMap((file) =>
    significantLines(file.text ?? '').map((one) => ({ ...one, file })),
  );
  const wanted = new Set(all.map(({ text }) => text));
  const skills = task.skills.map(({ skill, files }) => ({ name: skill.name, lines: linesIn(files, wanted) }));
  const isHeld = ({ text }: { text: string }) => skills.some(({ lines }) => lines.has(text));
  if (distinct(all.filter(isHeld)) < LEAST_LINES) return [];
  const given = linesIn([{ text: task.instruction }, ...task.context], wanted);
  const own = all.filter(({ text }) => !given.has(text));
  const shared = own.filter(isHeld);
  const [first] = shared;
  const score = shared.length / own.length;
  const isSign =
    part === 'tests'
      ? distinct(shared) >= LEAST_TEST_LINES
      : distinct(shared) >= LEAST_LINES && score >= LEAST_SHARE;
  if (first === undefined || !isSign) return [];
  const holders = skills.filter(({ lines }) => shared.some(({ text }) => lines.has(text)));
  const names = fewOf(holders.map(({ name }) => `"${name}"`));
  const whose = `${shared.length} of ${own.length} telling lines of the ${part}`;
  return [
    {
      severity: 'warning',
      score,
      message: `${whose} stand word for word in ${names}, and nowhere else that the agent can read`,
      where: { file: first.file.hostPath, line: first.line },
      repair: 'let the Skill say how such work is done in general, with examples that are not this one',
    },
  ];
}

function distinct(lines: readonly { readonly text: string }[]): number {
  return new Set(lines.map(({ text }) => text)).size;
}

function linesIn(
  files: readonly Pick<ContentFile, 'text'>[],
  wanted: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(files.flatMap(({ text }) => linesAmong(text ?? '', wanted)));
}

/** Values that tests and solution use, and that only a Skill gives. */
export const skillHoldsLiterals: TaskRule = {
  name: 'skill-holds-literals',
  check: (task) => {
    const wanted = valuesWanted(task);
    if (wanted.size === 0) return [];
    const held = task.skills.map((skill) => ({ skill, literals: literalsHeld(skill, wanted) }));
    if (held.every(({ literals }) => literals.length === 0)) return [];
    const given = valuesOf(task.context, literalsOf);
    return held.flatMap(({ skill, literals }) =>
      literalRemark(
        skill,
        literals.filter(({ value }) => !given.has(value)),
        wanted.size,
      ),
    );
  },
};

type Held = Literal & { readonly file: ContentFile };

function literalsHeld({ files }: SkillContent, wanted: ReadonlySet<string>): Held[] {
  return files.flatMap((file) =>
    literalsOf(file.text ?? '').flatMap((literal) =>
      wanted.has(literal.value) ? [{ ...literal, file }] : [],
    ),
  );
}

function literalRemark({ skill }: SkillContent, held: readonly Held[], wanted: number): Remark[] {
  const values = [...new Set(held.map(({ value }) => value))];
  const [first] = held;
  if (first === undefined) return [];
  return [
    {
      severity: 'warning',
      score: values.length / wanted,
      message: `the Skill "${skill.name}" gives ${fewOf(values, 8)}, which tests or solution use and nothing else tells`,
      where: { file: first.file.hostPath, line: first.line },
      repair: 'keep values of this one task out of the Skill; what is common knowledge may stay',
    },
  ];
}

/**
 * Numbers that the tests compare with, or that tests and solution both hold, and file names that either does; without what the
 * instruction tells and what the task's own files are called.
 */
function valuesWanted({ tests, solution, instruction, context }: LintedTask): ReadonlySet<string> {
  const told = valuesOf([{ text: instruction }], literalsOf);
  const inSolution = valuesOf(solution, tellingNumbers);
  const shared = [...valuesOf(tests, tellingNumbers)].filter((value) => inSolution.has(value));
  const names = valuesOf([...tests, ...solution], tellingFileNames);
  const ofTask = new Set([...context, ...tests, ...solution].map(({ path }) => posix.basename(path)));
  const wanted = [...assertedNumbers(tests), ...shared, ...names];
  return new Set(wanted.filter((value) => !told.has(value) && !ofTask.has(value)));
}

function valuesOf(
  files: readonly Pick<ContentFile, 'text'>[],
  read: (text: string) => readonly Literal[],
): ReadonlySet<string> {
  return new Set(files.flatMap(({ text }) => read(text ?? '').map(({ value }) => value)));
}

function literalsOf(text: string): Literal[] {
  return [...tellingNumbers(text), ...tellingFileNames(text)];
}
