import type { AttemptRecord, SkillUse } from './attempt.ts';

/**
 * Whether a Skill was certainly not used although the harness's output tells nothing: attestation found no Skill in the container, before
 * the agent started and after it ended.
 */
export function wasNotPresent(
  { use, origin }: SkillUse,
  { attestation: { before, after } }: Pick<AttemptRecord, 'attestation'>,
): boolean {
  if (use !== 'cannot-tell' || origin === 'harness') return false;
  return [before, after].every((found) => found?.skillFiles.length === 0 && found.violations.length === 0);
}
