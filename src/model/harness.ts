import { z } from 'zod';
import { Digest, HarnessId } from './ids.ts';
import { ModelProtocol } from './model-protocol.ts';

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

/** A settings file that a harness reads: put into the container before the agent starts, owned by its user. */
export const HarnessFile = z.strictObject({
  /** `{home}/...`, `{workdir}/...` or absolute. */
  path: z.string().regex(/^(\{home\}|\{workdir\})?\//, 'start it with "{home}/", "{workdir}/" or "/"'),
  /** The same placeholders as in `env`. */
  content: z.string(),
});
export type HarnessFile = z.infer<typeof HarnessFile>;

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
  /**
   * Program and arguments, run in the task's working directory. Placeholders: `{instruction}` the instruction file's path,
   * `{bundle}` the bundle's folder, `{model}` the configuration's model, `{home}` and `{workdir}` of the agent's user,
   * `{gateway}` the gateway's address without a path (`http://host:port`), `{token}` the trial's own key for it.
   */
  command: z.array(z.string()).min(1),
  /** Environment of the agent; the placeholders of `command`. */
  env: z.record(z.string(), z.string()).default({}),
  /** Settings that keep a run clean (no telemetry, no updates, no Skills of its own) and point at the gateway. */
  files: z.array(HarnessFile).default([]),
  discovery: Discovery,
  /** Has a Dockerfile that builds the bundle mounted at `/opt/skillpair/harness/<id>`. */
  bundle: z.boolean(),
  /** How its output becomes a trajectory. */
  trajectory: z.enum([
    'none',
    'literal',
    'claude-code',
    'codex',
    'gemini-cli',
    'openhands',
    'qwen-code',
    'opencode',
  ]),
  /** Needs a model and speaks this protocol to the gateway: then a configuration must name a model. */
  protocol: ModelProtocol.optional(),
  /** Run once in a container with the bundle; what it prints must hold `version`. */
  versionCommand: z.array(z.string()).min(1).optional(),
  /** Files and folders kept as evidence beside the streams (session logs); `{home}` and `{workdir}` as in `files`. */
  sessionPaths: z.array(z.string()).default([]),
  /** Skills the program brings along and that cannot be turned off: recorded apart from the task's. */
  ownSkills: z.array(z.string()).default([]),
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
