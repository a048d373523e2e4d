import { z } from 'zod';
import { ConditionName, ConfigurationName, HarnessId } from './ids.ts';
import { ModelSettings } from './model-settings.ts';

/** Which tasks take part: globs over task ids, and metadata words that must match. */
export const TaskSelection = z.strictObject({
  /** Folders that hold task folders, relative to the experiment file. */
  folders: z.array(z.string()).min(1).default(['../tasks']),
  include: z.array(z.string()).min(1).default(['*']),
  exclude: z.array(z.string()).default([]),
});
export type TaskSelection = z.infer<typeof TaskSelection>;

/** One row under `configurations:`; the name defaults to `<harness>` or `<harness>@<model>`. */
export const ConfigurationEntry = z.strictObject({
  name: ConfigurationName.optional(),
  harness: HarnessId,
  model: z.string().min(1).optional(),
  /** An account under `models.providers`; absent: the one named like the harness's protocol. */
  provider: z.string().optional(),
  /** Extra environment of the agent container, the same in all conditions. */
  env: z.record(z.string(), z.string()).default({}),
});
export type ConfigurationEntry = z.infer<typeof ConfigurationEntry>;

/** Gates: a run whose figures do not hold ends with exit code 1. */
export const Gates = z.strictObject({
  /** Smallest share of planned trials that must be scored, in [0, 1]. */
  minCoverage: z.number().min(0).max(1).optional(),
  /** Smallest gain (with-skills minus no-skills, task-macro) of every configuration. */
  minGain: z.number().min(-1).max(1).optional(),
  /** Smallest with-skills pass rate of every configuration. */
  minPassRate: z.number().min(0).max(1).optional(),
  /** Smallest gain of any task in every configuration: no task worse than this. */
  minTaskGain: z.number().min(-1).max(1).optional(),
  /** Most US dollars, by list price, that all attempts of a configuration may have cost. */
  maxUsd: z.number().nonnegative().optional(),
  /**
   * What gain and pass rate are held to: `value` (the default), the figure itself, or `interval`, the lower end of its 95 % interval, so that chance does not
   * hold a gate.
   */
  evidence: z.enum(['value', 'interval']).optional(),
});
export type Gates = z.infer<typeof Gates>;

/** How unscored trials are gone about. */
export const AttemptPolicy = z.strictObject({
  /** Most attempts a trial gets; further ones only after `unscored`, the same rule in all conditions. */
  max: z.int().min(1).max(10).default(2),
  onUnscored: z.enum(['continue', 'stop-new', 'stop-now']).default('continue'),
});
export type AttemptPolicy = z.infer<typeof AttemptPolicy>;

/** Images: stand-ins for bases that cannot be pulled, and certificates that builds must trust. */
export const ImageSettings = z.strictObject({
  /** Name in a FROM line -> local image; the same in all conditions, and reported. */
  substitute: z.record(z.string(), z.string()).default({}),
  platform: z
    .string()
    .regex(
      /^linux\/[a-z0-9]+(\/[a-z0-9]+)?$/,
      'a platform looks like linux/amd64\nwrite linux/amd64 or linux/arm64',
    )
    .optional(),
  /** `host`: extra CA certificates of this machine are trusted in builds and containers. */
  trustCa: z.enum(['none', 'host']).default('none'),
  /** The time that tasks allow for the build of their image, times this: for a slow machine. Changes no result. */
  buildTimeFactor: z.number().min(1).max(100).default(1),
});
export type ImageSettings = z.infer<typeof ImageSettings>;

/** The nearest name that an experiment may have. */
function properName(given: unknown): string {
  const plain = String(given).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const name = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return name === '' ? 'a name such as demo' : `"${name}"`;
}

/** `experiments/*.yaml`: what is compared. Flags override how a run goes, never what the experiment is. */
export const Experiment = z.strictObject({
  schemaVersion: z.literal(1),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
    error: ({ input }) =>
      `an experiment name has at most 40 lower-case letters, digits and "-"\nwrite ${properName(input)}`,
  }),
  description: z.string().default(''),
  tasks: TaskSelection.prefault({}),
  /** Shared Skill library, relative to the experiment file. */
  skills: z.string().default('../skills'),
  harnesses: z.string().default('../harnesses'),
  verifiers: z.string().default('../verifiers'),
  conditions: z.array(ConditionName).min(1).default(['no-skills', 'with-skills']),
  configurations: z.array(ConfigurationEntry).min(1),
  /** Trials of each task, condition and configuration. */
  trials: z.int().min(1).max(1000).default(1),
  seed: z.int().min(0).max(0xffffffff).default(0),
  concurrency: z.int().min(1).max(256).default(2),
  attempts: AttemptPolicy.prefault({}),
  images: ImageSettings.prefault({}),
  models: ModelSettings.prefault({}),
  gates: Gates.prefault({}),
});
export type Experiment = z.infer<typeof Experiment>;
