import type { TaskFigures } from '../model/measurement.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { TaskMetadata } from '../model/task.ts';
import { counts } from './counts.ts';
import { gain, normalizedGain } from './gain.ts';
import type { TaskArms } from './pairing.ts';
import { taskRate } from './pass-rate.ts';

/** One task's figures under one configuration. A task without metadata in the lock is of `unknown` domain and difficulty. */
export function taskFigures(arms: TaskArms, metadata: TaskMetadata | undefined): TaskFigures {
  const noSkills = taskRate(outcomesOf(arms.noSkills), 'absent');
  const withSkills = taskRate(outcomesOf(arms.withSkills), 'absent');
  return {
    task: arms.task,
    domain: metadata?.domain ?? 'unknown',
    difficulty: metadata?.difficulty ?? 'unknown',
    noSkills,
    withSkills,
    gain: gain(noSkills, withSkills),
    normalizedGain: normalizedGain(noSkills, withSkills),
    counts: { noSkills: counts(outcomesOf(arms.noSkills)), withSkills: counts(outcomesOf(arms.withSkills)) },
  };
}

/** The outcomes of trial records, in their order. */
export function outcomesOf(records: readonly TrialRecord[]) {
  return records.map((record) => record.outcome);
}
