import type { Place, Problem } from '../model/problem.ts';

/** Characters in a row that an instruction and a Skill may share before it counts as taken from there. */
export const SHARED_RUN = 200;

/**
 * Warns where an instruction, which all arms get, gives Skills away: a Skill's name, talk of skills, or a stretch of a
 * Skill's own text. Names of one word (`pdf`, `rdkit`) are mostly subjects or file types: they count only beside the
 * word "skill" or in a path.
 */
export function lintInstruction(input: {
  readonly instruction: string;
  readonly path: string;
  /** Body of each Skill below its head, by name. */
  readonly skillBodies: ReadonlyMap<string, string>;
}): Problem[] {
  const { instruction, path } = input;
  const problems: Problem[] = [];
  const warn = (offset: number, message: string, repair: string) => {
    problems.push({ severity: 'warning', message, where: placeOf(instruction, offset, path), repair });
  };
  for (const [name, body] of input.skillBodies) {
    const named = skillNameIn(instruction, name);
    const say = `so that all arms hear of it`;
    if (named !== undefined) {
      warn(
        named,
        `the instruction names the Skill "${name}", ${say}`,
        'say what is wanted, not what it is done with',
      );
    }
    const shared = sharedRun(instruction, body);
    if (shared !== undefined) {
      const message = `the instruction shares ${shared.length} characters in a row with the Skill "${name}", ${say}`;
      warn(shared.offset, message, 'say it in one of the two only');
    }
  }
  const spoken = /(?<![\p{L}\p{N}])skills?(?![\p{L}\p{N}])/iu.exec(instruction);
  if (problems.length === 0 && spoken !== null) {
    warn(
      spoken.index,
      'the instruction speaks of skills, also to an agent that has none',
      'leave the word out',
    );
  }
  return problems;
}

function skillNameIn(instruction: string, name: string): number | undefined {
  const words = name.split(/[-_\s]+/).filter((word) => word !== '');
  const pattern = words.map(escaped).join('[-_\\s]+');
  // `pid_controller.py` is a file that is wanted, not the Skill of that name.
  const whole = `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}]|\\.\\p{L})`;
  const gap = '["\'`*]*[\\s/]+["\'`*]*';
  const form =
    words.length > 1 ? whole : `skills?${gap}${whole}|${whole}${gap}(?:skills?(?![\\p{L}])|SKILL\\.md)`;
  return new RegExp(form, 'iu').exec(instruction)?.index;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function placeOf(text: string, offset: number, file: string): Place {
  const before = text.slice(0, offset).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * The first stretch of at least {@link SHARED_RUN} characters that stands in both texts, white space counted as one blank.
 * Any such stretch holds a whole block of half that length of the first text, so only blocks are looked up.
 */
export function sharedRun(first: string, second: string): { offset: number; length: number } | undefined {
  const a = collapsed(first);
  const b = collapsed(second).text;
  const block = SHARED_RUN / 2;
  for (let start = 0; start + block <= a.text.length; start += block) {
    const wanted = a.text.slice(start, start + block);
    for (let at = b.indexOf(wanted); at >= 0; at = b.indexOf(wanted, at + 1)) {
      const run = grown(a.text, b, { start, at, block });
      if (run.length >= SHARED_RUN) return { offset: a.offsets[run.start] ?? 0, length: run.length };
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

/** The text with each run of white space as one blank, and where each character stood. */
function collapsed(text: string): { text: string; offsets: number[] } {
  const offsets: number[] = [];
  let out = '';
  for (const part of text.matchAll(/\s+|\S/g)) {
    offsets.push(part.index);
    out += part[0].length > 1 || /\s/.test(part[0]) ? ' ' : part[0];
  }
  return { text: out, offsets };
}
