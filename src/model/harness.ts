import { z } from 'zod';
import { Digest, HarnessId } from './ids.ts';

/** Folders in which a harness finds Skills. */
export const Discovery = z.strictObject({
  /** Relative to each home. */
  home: z.array(z.string()),
  /** Relative to the working directory and its parents. */
  project: z.array(z.string()),
  /** Absolute. */
  system: z.array(z.string()),
});
export type Discovery = z.infer<typeof Discovery>;

/**
 * `harnesses/<id>/harness.yaml`: everything needed to drive one pinned version of an agent program.
 * `special` marks the two that stand outside the comparison: `oracle` runs the solution, `nop` does nothing.
 */
export const HarnessManifest = z.strictObject({
  schemaVersion: z.literal(1),
  id: HarnessId,
  version: z.string().min(1),
  title: z.string(),
  special: z.enum(['oracle', 'nop']).optional(),
  /** Program and arguments, run in the task's working directory. `{instruction}` stands for the instruction file's path. */
  command: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).default({}),
  discovery: Discovery,
  /** Has a Dockerfile that builds the bundle mounted at `/opt/skillpair/harness/<id>`. */
  bundle: z.boolean(),
  /** How its output becomes a trajectory. */
  trajectory: z.enum(['none', 'literal']),
  /** Needs a model: then a configuration must name one. */
  needsModel: z.boolean().default(false),
});
export type HarnessManifest = z.infer<typeof HarnessManifest>;

/** A loaded harness: its manifest, its folder and what pins it. */
export const Harness = z.strictObject({
  manifest: HarnessManifest,
  dir: z.string(),
  /** Over the whole folder: a change of version, command or bundle changes it. */
  digest: Digest,
});
export type Harness = z.infer<typeof Harness>;
