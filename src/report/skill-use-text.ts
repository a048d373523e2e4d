import type { AttemptRecord } from '../model/attempt.ts';

const WORDS = { used: 'used', 'not-used': 'not used', 'cannot-tell': 'cannot tell' } as const;

/** What a harness said of each Skill in one attempt: `alpha: used; beta: cannot tell`. Empty without an account. */
export function skillUseText(skillUse: AttemptRecord['skillUse']): string {
  return skillUse.map(({ skill, use }) => `${skill}: ${WORDS[use]}`).join('; ');
}
