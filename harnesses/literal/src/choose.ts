import type { FoundSkill } from './discover.ts';
import { tellingWords } from './words.ts';

/** Telling words that an instruction and a description must share at least. */
const LEAST_SHARED = 2;
/** Least share of a description's telling words that must stand in the instruction. */
const LEAST_SCORE = 0.15;
/** Most Skills that are opened for one instruction. */
const MOST_CHOSEN = 3;

/** A Skill that fits, and how well: the share of its description's telling words that the instruction has too. */
export interface ChosenSkill {
  readonly skill: FoundSkill;
  readonly score: number;
}

/** The Skills that fit an instruction, best first; equal scores go by folder name. */
export function chooseSkills(instruction: string, skills: readonly FoundSkill[]): readonly ChosenSkill[] {
  const asked = tellingWords(instruction);
  return skills
    .flatMap((skill) => {
      const offered = tellingWords(`${skill.name} ${skill.description}`);
      const shared = [...offered].filter((word) => asked.has(word)).length;
      const score = Math.round((shared / offered.size) * 1000) / 1000;
      const fits = skill.description !== '' && shared >= LEAST_SHARED && score >= LEAST_SCORE;
      return fits ? [{ skill, score }] : [];
    })
    .sort((a, b) => b.score - a.score || (a.skill.folder < b.skill.folder ? -1 : 1))
    .slice(0, MOST_CHOSEN);
}
