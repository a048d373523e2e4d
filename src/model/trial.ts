import { z } from 'zod';
import { ConditionName, ConfigurationName, TaskId, TrialId } from './ids.ts';

/** One planned execution: task x condition x configuration x index (from 1). */
export const Trial = z.strictObject({
  id: TrialId,
  task: TaskId,
  condition: ConditionName,
  configuration: ConfigurationName,
  index: z.int().positive(),
});
export type Trial = z.infer<typeof Trial>;

/** Derives the id; the same parts always give the same id. */
export function trialId(parts: Omit<Trial, 'id'>): TrialId {
  return TrialId.parse(`${parts.task}/${parts.condition}/${parts.index}/${parts.configuration}`);
}

/** What joins the trials that differ only in condition. */
export function pairKey(trial: Omit<Trial, 'id' | 'condition'>): string {
  return `${trial.task}/${trial.index}/${trial.configuration}`;
}

/** The trials of a run in the order in which they start: the arms of a pair stand together. */
export const Plan = z.strictObject({
  schemaVersion: z.literal(1),
  experiment: z.string(),
  seed: z.int(),
  trials: z.array(Trial),
});
export type Plan = z.infer<typeof Plan>;
