import type { ContentFile, SkillContent } from '../../model/task-content.ts';
import { byDigest } from './folder-contents.ts';
import { type Literal, significantLines, tellingFileNames, tellingNumbers } from './significant-text.ts';
import { fewOf, type LintedTask, type Remark, type TaskRule } from './task-rule.ts';

const LEAST_IDENTICAL = 64;
/** Fewer lines in common are no sign. */
const LEAST_LINES = 8;
const LEAST_SHARE = 0.2;
const LEAST_TEST_LINES = 10;

/** A file of a Skill that tests or solution have too. */
export const skillHoldsTaskFile: TaskRule = {
  name: 'skill-holds-task-file',
  check: (task) => {
    const theirs = byDigest([...task.tests, ...task.solution]);
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
  check: (task) => {
    const given = linesOf([{ text: task.instruction }, ...task.context]);
    const skills = task.skills.map(({ skill, files }) => ({ name: skill.name, lines: linesOf(files) }));
    const found = (['solution', 'tests'] as const).map((part) =>
      sharedLines({ part, files: task[part], given, skills }),
    );
    return found.flat();
  },
};

interface LineSearch {
  readonly part: 'solution' | 'tests';
  readonly files: readonly ContentFile[];
  readonly given: ReadonlySet<string>;
  readonly skills: readonly { readonly name: string; readonly lines: ReadonlySet<string> }[];
}

function sharedLines({ part, files, given, skills }: LineSearch): Remark[] {
  const all = files.flatMap((file) =>
    significantLines(file.text ?? '')
      .filter(({ text }) => !given.has(text))
      .map((one) => ({ ...one, file })),
  );
  const shared = all.filter(({ text }) => skills.some(({ lines }) => lines.has(text)));
  const [first] = shared;
  const distinct = new Set(shared.map(({ text }) => text)).size;
  const score = all.length === 0 ? 0 : shared.length / all.length;
  const isSign =
    part === 'tests' ? distinct >= LEAST_TEST_LINES : distinct >= LEAST_LINES && score >= LEAST_SHARE;
  if (first === undefined || !isSign) return [];
  const names = skills
    .filter(({ lines }) => shared.some(({ text }) => lines.has(text)))
    .map(({ name }) => `"${name}"`);
  const whose = part === 'tests' ? 'the tests' : 'the solution';
  return [
    {
      severity: 'warning',
      score,
      message: `${shared.length} of ${all.length} telling lines of ${whose} stand word for word in ${fewOf(names)}, and nowhere else that the agent can read`,
      where: { file: first.file.hostPath, line: first.line },
      repair: 'let the Skill say how such work is done in general, with examples that are not this one',
    },
  ];
}

function linesOf(files: readonly Pick<ContentFile, 'text'>[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ text }) => significantLines(text ?? '').map((line) => line.text)));
}

/** Values that tests and solution use, and that only a Skill gives. */
export const skillHoldsLiterals: TaskRule = {
  name: 'skill-holds-literals',
  check: (task) => task.skills.flatMap((skill) => literalsIn(skill, task)),
};

function literalsIn({ skill, files }: SkillContent, task: LintedTask): Remark[] {
  const wanted = valuesWanted(task);
  const held = files.flatMap((file) =>
    literalsOf(file.text ?? '').flatMap((literal) =>
      wanted.has(literal.value) ? [{ ...literal, file }] : [],
    ),
  );
  const values = [...new Set(held.map(({ value }) => value))];
  const [first] = held;
  if (first === undefined) return [];
  return [
    {
      severity: 'warning',
      score: values.length / wanted.size,
      message: `the Skill "${skill.name}" gives ${fewOf(values, 8)}, which tests or solution use and nothing else tells`,
      where: { file: first.file.hostPath, line: first.line },
      repair: 'keep values of this one task out of the Skill; what is common knowledge may stay',
    },
  ];
}

/** What tests and solution both use, file names that either does, and neither instruction nor data tell. */
function valuesWanted({ tests, solution, instruction, context }: LintedTask): ReadonlySet<string> {
  const given = valuesOf([{ text: instruction }, ...context], literalsOf);
  const [inTests, inSolution] = [valuesOf(tests, tellingNumbers), valuesOf(solution, tellingNumbers)];
  const names = valuesOf([...tests, ...solution], tellingFileNames);
  const ofTask = new Set(
    [...context, ...tests, ...solution].map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
  );
  const wanted = [...[...inTests].filter((value) => inSolution.has(value)), ...names];
  return new Set(wanted.filter((value) => !given.has(value) && !ofTask.has(value)));
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
