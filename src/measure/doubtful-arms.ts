import type { TrialId } from '../model/ids.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { byText } from './pairing.ts';

/** No-skills trials whose harness says that it used a Skill all the same, by name. */
export function contaminatedTrials(trials: readonly TrialRecord[]): TrialId[] {
  return ofNoSkills(trials, ({ counted }) => counted?.skillUse.some(({ use }) => use === 'used') ?? false);
}

/**
 * Scored no-skills trials in whose container a Skill was found after the agent that was not there before, by name. The verdict stands, since
 * an agent that could take it back by writing a file would do so when it fails; whether it proves anything a person must see.
 */
export function gainedSkillTrials(trials: readonly TrialRecord[]): TrialId[] {
  return ofNoSkills(trials, ({ outcome, counted }) => {
    const { before, after } = counted?.attestation ?? {};
    const known = new Set(before?.skillFiles);
    return outcome.kind === 'scored' && (after?.skillFiles ?? []).some((path) => !known.has(path));
  });
}

function ofNoSkills(trials: readonly TrialRecord[], isMeant: (record: TrialRecord) => boolean): TrialId[] {
  return trials
    .filter((record) => record.trial.condition === 'no-skills' && isMeant(record))
    .map(({ trial }) => trial.id)
    .sort(byText);
}
