import { z } from 'zod';
import { ConditionName, ConfigurationName, Digest, RunId, TaskId } from './ids.ts';
import { UnscoredReason } from './outcome.ts';

/** The trials of one task, condition and configuration of which no more is known than their mean. */
export const TrialAverage = z.strictObject({
  task: TaskId,
  condition: ConditionName,
  configuration: ConfigurationName,
  trials: z.int().positive(),
  meanReward: z.number().min(0).max(1),
  /** Trials whose reward is 1; absent where the file does not say. */
  passes: z.int().nonnegative().optional(),
});
export type TrialAverage = z.infer<typeof TrialAverage>;

/** One trial of somebody else's run. */
export const ImportedTrial = z.strictObject({
  task: TaskId,
  condition: ConditionName,
  configuration: ConfigurationName,
  index: z.int().positive(),
  /** Absent: it has no verdict. */
  reward: z.number().min(0).max(1).optional(),
  /** Why there is no verdict; absent with a reward. */
  reason: UnscoredReason.optional(),
});
export type ImportedTrial = z.infer<typeof ImportedTrial>;

/** Harness and model in the words of the file, which may leave them out; without a name there it is made of them. */
export const ImportedConfiguration = z.strictObject({
  name: ConfigurationName,
  harness: z.string().optional(),
  model: z.string().optional(),
});
export type ImportedConfiguration = z.infer<typeof ImportedConfiguration>;

/**
 * `import.json`: results that another program made, as far as its file tells them. It stands in the place of a run's lock, journal and
 * attempts. What the file does not say (images, times, tokens, the seed) is not here, so that no report can print it.
 */
export const ImportedResults = z.strictObject({
  schemaVersion: z.literal(1),
  run: RunId,
  importedAt: z.iso.datetime(),
  skillpair: z.string(),
  source: z.strictObject({
    /** Its name without folders. */
    file: z.string(),
    digest: Digest,
    rows: z.int().nonnegative(),
  }),
  configurations: z.array(ImportedConfiguration),
  results: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('averages'), averages: z.array(TrialAverage) }),
    z.strictObject({ kind: z.literal('trials'), trials: z.array(ImportedTrial) }),
  ]),
});
export type ImportedResults = z.infer<typeof ImportedResults>;
