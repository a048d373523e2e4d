import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Skill } from '../model/skill.ts';

/** Shorter lines occur elsewhere too. */
const TELLING_LENGTH = 40;
const LINES_KEPT = 3;

/** Lines that stand in one Skill's SKILL.md and hardly anywhere else, by the Skill's folder name. */
export type SkillBodies = ReadonlyMap<string, readonly string[]>;

/**
 * The longest lines of the bodies of these Skills: a tool's answer that holds one shows that the file was read, however
 * the command named it (`grep -r`, `find -exec`). A Skill without a file or without long lines has none.
 */
export async function skillBodies(skills: readonly Skill[]): Promise<SkillBodies> {
  const bodies = await Promise.all(
    skills.map(async ({ name, dir }) => [name, tellingLines(await skillText(dir))] as const),
  );
  return new Map(bodies.filter(([, lines]) => lines.length > 0));
}

/** The Skills whose lines are in a text. */
export function bodiesIn(text: string, bodies: SkillBodies): string[] {
  if (text.length < TELLING_LENGTH) return [];
  return [...bodies].filter(([, lines]) => lines.some((line) => text.includes(line))).map(([name]) => name);
}

async function skillText(dir: string): Promise<string> {
  try {
    return await readFile(join(dir, 'SKILL.md'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** The head is left out: its description is told to the model without a read. */
function tellingLines(text: string): string[] {
  const body = text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[^\n]*/, '');
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= TELLING_LENGTH)
    .sort((one, other) => other.length - one.length)
    .slice(0, LINES_KEPT);
}
