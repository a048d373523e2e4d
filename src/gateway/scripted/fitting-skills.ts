import type { ListedSkill } from './listed-skills.ts';
import { tellingWords } from './telling-words.ts';

/** Telling words that an instruction and a description must share at least. */
const LEAST_SHARED = 2;
/** Least share of a description's telling words that must stand in the instruction. */
const LEAST_SCORE = 0.15;
/** Most Skills that are opened for one instruction. */
const MOST_CHOSEN = 3;

/** The listed Skills that fit an instruction, best first, by the rules of the literal harness. */
export function fittingSkills(instruction: string, listed: readonly ListedSkill[]): readonly ListedSkill[] {
  const asked = tellingWords(instruction);
  const scored = listed.flatMap((skill) => {
    const offered = tellingWords(`${skill.name} ${skill.description}`);
    const shared = [...offered].filter((word) => asked.has(word)).length;
    const score = Math.round((shared / offered.size) * 1000) / 1000;
    const fits = skill.description !== '' && shared >= LEAST_SHARED && score >= LEAST_SCORE;
    return fits ? [{ skill, score }] : [];
  });
  return scored
    .toSorted((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1))
    .slice(0, MOST_CHOSEN)
    .map(({ skill }) => skill);
}
