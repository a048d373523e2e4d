import { z } from 'zod';
import { Configuration } from './configuration.ts';
import { Experiment, Gates } from './experiment.ts';
import { Digest, HarnessId, RunId, TaskId } from './ids.ts';
import { TaskMetadata } from './task.ts';
import { Plan } from './trial.ts';

/** What a task was when the run began. */
export const LockedTask = z.strictObject({
  id: TaskId,
  digest: Digest,
  skills: z.array(
    z.strictObject({
      name: z.string(),
      digest: Digest,
      /** Length of its SKILL.md; absent in locks of before it was kept. */
      skillFileBytes: z.int().nonnegative().optional(),
    }),
  ),
  metadata: TaskMetadata,
  /** The task file, relative to the project, for reports that name a place. */
  file: z.string(),
});
export type LockedTask = z.infer<typeof LockedTask>;

/** `run.json`: everything that must be the same for a resumed run to be the same run. Written once, before the first trial. */
export const RunLock = z.strictObject({
  schemaVersion: z.literal(1),
  run: RunId,
  createdAt: z.iso.datetime(),
  skillpair: z.string(),
  experimentPath: z.string(),
  experiment: Experiment,
  plan: Plan,
  /** What was left of the experiment by filters and shards, in words (`shard 1/2`, `task co2-*`); empty: all of it. */
  part: z.array(z.string()).default([]),
  tasks: z.array(LockedTask),
  configurations: z.array(Configuration),
  harnesses: z.array(z.strictObject({ id: HarnessId, version: z.string(), digest: Digest })),
  verifiersDigest: Digest,
  /** Of the script that answers in the place of a model, where the experiment names one. */
  scriptDigest: Digest.optional(),
  gates: Gates,
  /** FROM name -> what it resolved to when the run began. */
  baseImages: z.record(z.string(), z.strictObject({ image: z.string(), substituted: z.boolean() })),
  engine: z.strictObject({
    version: z.string(),
    apiVersion: z.string(),
    platform: z.string(),
    storageDriver: z.string(),
  }),
  host: z.strictObject({ name: z.string(), cpus: z.int(), memoryBytes: z.int() }),
});
export type RunLock = z.infer<typeof RunLock>;
