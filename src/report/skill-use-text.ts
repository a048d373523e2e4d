import type { AttemptRecord, SkillUse } from '../model/attempt.ts';
import { wasNotPresent } from '../model/skill-absence.ts';

const WORDS = { used: 'used', 'not-used': 'not used', 'cannot-tell': 'cannot tell' } as const;

/** What is known of each Skill in one attempt: `alpha: used; beta: cannot tell`. Empty without an account. */
export function skillUseText(attempt: Pick<AttemptRecord, 'skillUse' | 'attestation'> | undefined): string {
  if (attempt === undefined) return '';
  const { skillUse } = attempt;
  const word = (one: SkillUse) => (wasNotPresent(one, attempt) ? 'not present' : WORDS[one.use]);
  return skillUse.map((one) => `${one.skill}: ${word(one)}`).join('; ');
}
