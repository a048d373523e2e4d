import type { SkillUse } from '../model/attempt.ts';
import type { SkillUseFigures } from '../model/measurement.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { byText, type TaskArms } from './pairing.ts';

/**
 * In how many trials each Skill was used, by the harness's own account of the attempts that count; by arm, then by
 * Skill. A trial without an account (its agent never ran) is in none of the numbers.
 */
export function skillUseFigures(tasks: readonly TaskArms[]): SkillUseFigures[] {
  return [
    ...armUse(
      'no-skills',
      tasks.flatMap((task) => task.noSkills),
    ),
    ...armUse(
      'with-skills',
      tasks.flatMap((task) => task.withSkills),
    ),
  ];
}

function armUse(condition: SkillUseFigures['condition'], trials: readonly TrialRecord[]): SkillUseFigures[] {
  const uses = Map.groupBy(
    trials.flatMap(({ counted }) => counted?.skillUse ?? []),
    ({ skill }) => skill,
  );
  return [...uses]
    .sort(([a], [b]) => byText(a, b))
    .map(([skill, found]) => {
      const trialsThat = (use: SkillUse['use']) => found.filter((one) => one.use === use).length;
      return {
        condition,
        skill,
        used: trialsThat('used'),
        notUsed: trialsThat('not-used'),
        cannotTell: trialsThat('cannot-tell'),
      };
    });
}
