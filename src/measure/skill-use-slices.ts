import type { SkillUse } from '../model/attempt.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { SliceFigures } from '../model/slice-figures.ts';
import { armRate, outcomesOf } from './arm-results.ts';
import type { TaskArms } from './pairing.ts';
import { taskRate } from './pass-rate.ts';
import { sliceFigures } from './slice-figures.ts';

const USES = ['used', 'not-used', 'cannot-tell'] as const satisfies readonly SkillUse['use'][];

/**
 * The treatment's trials by whether a Skill of the task was used, each against the whole baseline of the same tasks. Which trial uses a
 * Skill is no coin's choice: the figures describe, and there is no test. Trials without an account are in none.
 */
export function skillUseSlices(tasks: readonly TaskArms[]): SliceFigures[] {
  return USES.flatMap((use) => {
    const sliced = tasks.flatMap((arms) => {
      const chosen = arms.treatment.records.filter((record) => useOf(record) === use);
      const treatment = taskRate(outcomesOf(chosen), 'absent');
      const baseline = armRate(arms.baseline, 'absent');
      const trials = { baseline: arms.baseline.records.length, treatment: chosen.length };
      return treatment === null ? [] : [{ task: arms.task, baseline, treatment, trials }];
    });
    return sliced.length === 0
      ? []
      : [sliceFigures(sliced, { by: 'skill-use', value: use, isSelected: true })];
  });
}

/** `used` where one of them was; `not-used` where none was, for certain. */
function useOf({ counted }: TrialRecord): SkillUse['use'] | undefined {
  const uses = (counted?.skillUse ?? []).filter(({ origin }) => origin !== 'harness').map(({ use }) => use);
  if (uses.length === 0) return undefined;
  if (uses.includes('used')) return 'used';
  return uses.includes('cannot-tell') ? 'cannot-tell' : 'not-used';
}
