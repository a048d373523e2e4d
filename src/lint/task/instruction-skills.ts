import { join } from 'node:path';
import type { Problem } from '../../model/problem.ts';
import { type LintedTask, placeAt, type Remark, type TaskRule } from './task-rule.ts';

/** Characters in a row that an instruction and a Skill may share before it counts as taken from there. */
export const SHARED_RUN = 200;

/** What an instruction is compared with. */
export interface InstructionText {
  readonly instruction: string;
  readonly path: string;
  /** Body of each Skill below its head, by name. */
  readonly skillBodies: ReadonlyMap<string, string>;
}

const SAY = 'so that all arms hear of it';

/** The instruction, which all arms get, names a Skill. */
export const instructionNamesSkill: TaskRule = {
  name: 'instruction-names-skill',
  check: (task) => namedSkills(textOf(task)),
};

/** The instruction holds a stretch of a Skill's own text. */
export const instructionSharesSkillText: TaskRule = {
  name: 'instruction-shares-skill-text',
  check: (task) => sharedStretches(textOf(task)),
};

/** The instruction talks of skills, though it names none and holds none of their text. */
export const instructionSpeaksOfSkills: TaskRule = {
  name: 'instruction-speaks-of-skills',
  check: (task) => spokenOf(textOf(task)),
};

/**
 * Warns where an instruction, which all arms get, gives Skills away: a Skill's name, talk of skills, or a stretch of a
 * Skill's own text. Names of one word (`pdf`, `rdkit`) are mostly subjects or file types: they count only beside the
 * word "skill" or in a path.
 */
export function lintInstruction(text: InstructionText): Problem[] {
  return [...namedSkills(text), ...sharedStretches(text), ...spokenOf(text)];
}

function textOf({ instruction, dir, skills }: LintedTask): InstructionText {
  const skillBodies = new Map(skills.map(({ skill, body }) => [skill.name, body]));
  return { instruction, path: join(dir, 'instruction.md'), skillBodies };
}

function namedSkills({ instruction, path, skillBodies }: InstructionText): Remark[] {
  return [...skillBodies.keys()].flatMap((name): Remark[] => {
    const at = skillNameIn(instruction, name);
    if (at === undefined) return [];
    const message = `the instruction names the Skill "${name}", ${SAY}`;
    const repair = 'say what is wanted, not what it is done with';
    // Two words with a blank between are mostly the subject ("matched filtering"), which any instruction must name.
    const severity = at.isSpelled ? 'warning' : 'note';
    return [{ severity, message, where: placeAt(path, instruction, at.offset), repair }];
  });
}

function sharedStretches({ instruction, path, skillBodies }: InstructionText): Remark[] {
  return [...skillBodies].flatMap(([name, body]): Remark[] => {
    const shared = sharedRun(instruction, body);
    if (shared === undefined) return [];
    const message = `the instruction shares ${shared.length} characters in a row with the Skill "${name}", ${SAY}`;
    const where = placeAt(path, instruction, shared.offset);
    return [{ severity: 'warning', message, where, repair: 'say it in one of the two only' }];
  });
}

function spokenOf(text: InstructionText): Remark[] {
  const { instruction, path } = text;
  const spoken = /(?<![\p{L}\p{N}])skills?(?![\p{L}\p{N}])/iu.exec(instruction);
  if (spoken === null || namedSkills(text).length > 0 || sharedStretches(text).length > 0) return [];
  const message = 'the instruction speaks of skills, also to an agent that has none';
  const where = placeAt(path, instruction, spoken.index);
  return [{ severity: 'warning', message, where, repair: 'leave the word out' }];
}

function skillNameIn(
  instruction: string,
  name: string,
): { readonly offset: number; readonly isSpelled: boolean } | undefined {
  const words = name.split(/[-_\s]+/).filter((word) => word !== '');
  const needed = words.length > 1 ? words : [...words, 'skill'];
  const lower = instruction.toLowerCase();
  // Most names do not stand there, and the expression below takes long to be made.
  if (!needed.every((word) => lower.includes(word.toLowerCase()))) return undefined;
  const pattern = words.map(escaped).join('[-_\\s]+');
  // `pid_controller.py` is a file that is wanted, not the Skill of that name.
  const whole = `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}]|\\.\\p{L})`;
  const gap = '["\'`*]*[\\s/]+["\'`*]*';
  const form =
    words.length > 1 ? whole : `skills?${gap}${whole}|${whole}${gap}(?:skills?(?![\\p{L}])|SKILL\\.md)`;
  const found = [...instruction.matchAll(new RegExp(form, 'giu'))].map((match) => ({
    offset: match.index,
    isSpelled: /[-_/]|skill/i.test(match[0]),
  }));
  return found.find(({ isSpelled }) => isSpelled) ?? found[0];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * The first stretch of at least {@link SHARED_RUN} characters that stands in both texts, white space counted as one blank.
 * Any such stretch holds a whole block of half that length of the first text, so only blocks are looked up.
 */
export function sharedRun(first: string, second: string): { offset: number; length: number } | undefined {
  const [a, b] = [collapsed(first), collapsed(second)];
  const block = SHARED_RUN / 2;
  for (let start = 0; start + block <= a.length; start += block) {
    const wanted = a.slice(start, start + block);
    for (let at = b.indexOf(wanted); at >= 0; at = b.indexOf(wanted, at + 1)) {
      const run = grown(a, b, { start, at, block });
      if (run.length >= SHARED_RUN) return { offset: offsetIn(first, run.start), length: run.length };
    }
  }
  return undefined;
}

function grown(
  a: string,
  b: string,
  found: { start: number; at: number; block: number },
): { start: number; length: number } {
  let before = 0;
  while (before < Math.min(found.start, found.at) && a[found.start - before - 1] === b[found.at - before - 1])
    before += 1;
  let end = found.block;
  while (found.start + end < a.length && a[found.start + end] === b[found.at + end]) end += 1;
  return { start: found.start - before, length: before + end };
}

/** The text with each run of white space as one blank. */
function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Where a character of the collapsed text stands in the text itself. */
function offsetIn(text: string, collapsedOffset: number): number {
  let shorter = 0;
  for (const { 0: blanks, index } of text.matchAll(/\s+/g)) {
    if (index - shorter >= collapsedOffset) break;
    shorter += blanks.length - 1;
  }
  return collapsedOffset + shorter;
}
