import type { Evident, SkillUse } from '../model/attempt.ts';
import type { SkillUseFigures, StageFigures } from '../model/measurement.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { wasNotPresent } from '../model/skill-absence.ts';
import { byText, type Contrast, type TaskArms } from './pairing.ts';

/**
 * In how many trials each Skill was used, by the harness's own account of the attempts that count; by arm, then by
 * Skill. A trial without an account (its agent never ran) is in none of the numbers.
 */
export function skillUseFigures(tasks: readonly TaskArms[], contrast: Contrast): SkillUseFigures[] {
  return [
    ...armUse(
      contrast.baseline,
      tasks.flatMap((task) => task.baseline.records),
    ),
    ...armUse(
      contrast.treatment,
      tasks.flatMap((task) => task.treatment.records),
    ),
  ];
}

function armUse(condition: SkillUseFigures['condition'], trials: readonly TrialRecord[]): SkillUseFigures[] {
  const uses = Map.groupBy(
    trials.flatMap(({ counted }) =>
      counted === undefined
        ? []
        : counted.skillUse.map((one) => ({ ...one, isAbsent: wasNotPresent(one, counted) })),
    ),
    ({ skill }) => skill,
  );
  return [...uses]
    .sort(([a], [b]) => byText(a, b))
    .map(([skill, found]) => {
      const trialsThat = (use: SkillUse['use']) =>
        found.filter((one) => one.use === use && !one.isAbsent).length;
      const notPresent = found.filter(({ isAbsent }) => isAbsent).length;
      return {
        condition,
        skill,
        used: trialsThat('used'),
        notUsed: trialsThat('not-used'),
        cannotTell: trialsThat('cannot-tell'),
        ...(notPresent === 0 ? {} : { notPresent }),
        ...stagesOf(found),
      };
    });
}

function stagesOf(found: readonly SkillUse[]): Pick<SkillUseFigures, 'stages'> {
  const told = found.flatMap(({ stages }) => stages ?? []);
  if (told.length === 0) return {};
  const figures = (stage: keyof (typeof told)[number]) => stageFigures(told.map((stages) => stages[stage]));
  return {
    stages: {
      staged: figures('staged'),
      listed: figures('listed'),
      opened: figures('opened'),
      scriptRun: figures('scriptRun'),
    },
  };
}

function stageFigures(evidence: readonly Evident[]): StageFigures {
  const trialsThat = (evident: Evident) => evidence.filter((one) => one === evident).length;
  return { yes: trialsThat('yes'), no: trialsThat('no'), cannotTell: trialsThat('cannot-tell') };
}
