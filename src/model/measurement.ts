import { z } from 'zod';
import { ConditionName, ConfigurationName, TaskId, TrialId } from './ids.ts';
import { ModelMode } from './model-settings.ts';
import { TokenUsage } from './model-use.ts';
import { UnscoredReason } from './outcome.ts';
import { OverallFigures } from './overall-figures.ts';
import { ResourceFigures } from './resource-figures.ts';
import { SliceFigures } from './slice-figures.ts';
import { Interval, NoiseFigures, SignFlipTest } from './uncertainty.ts';

/** planned = scored + unscored, always. */
export const Counts = z.strictObject({
  planned: z.int().nonnegative(),
  scored: z.int().nonnegative(),
  unscored: z.int().nonnegative(),
  /** Only reasons that occurred. */
  byReason: z.partialRecord(UnscoredReason, z.int().positive()),
});
export type Counts = z.infer<typeof Counts>;

/** A figure with the unscored left out, counted as failed and counted as passed. `null`: undefined. */
export const Bounded = z.strictObject({
  value: z.number().nullable(),
  unscoredAsFailed: z.number().nullable(),
  unscoredAsPassed: z.number().nullable(),
});
export type Bounded = z.infer<typeof Bounded>;

/** One arm of one configuration. */
export const ArmFigures = z.strictObject({
  condition: ConditionName,
  counts: Counts,
  /** Scored / planned; `null` when nothing was planned, and where means were imported: then `counts` knows of trials alone. */
  coverage: z.number().nullable(),
  /** Tasks that `passRate.value` is a mean of. */
  tasks: z.int().nonnegative(),
  /** Trials whose reward is exactly 1; `null` where only means were imported that do not tell. */
  passed: z.int().nonnegative().nullable(),
  /**
   * Mean over tasks of the task's mean reward (task-macro), over the paired set of tasks (over all scored tasks
   * when only this arm was planned). The bounds are over every planned task: they have nothing missing.
   */
  passRate: Bounded,
  /** 95 % interval of its value: what other tasks of this kind might have shown; `null` where too little is known. */
  passRateInterval: Interval.nullable(),
});
export type ArmFigures = z.infer<typeof ArmFigures>;

/** One task under one configuration, both arms. Rates are mean rewards of scored trials; `null` without any. */
export const TaskFigures = z.strictObject({
  task: TaskId,
  domain: z.string(),
  difficulty: z.string(),
  baseline: z.number().nullable(),
  treatment: z.number().nullable(),
  gain: z.number().nullable(),
  /** gain / (1 - baseline); `null` at baseline = 1 or without a gain. Never clamped. */
  normalizedGain: z.number().nullable(),
  counts: z.strictObject({ baseline: Counts, treatment: Counts }),
  /** Pairs of its trials that differ only in condition; complete: both have a verdict. */
  pairs: z.strictObject({ planned: z.int().nonnegative(), complete: z.int().nonnegative() }),
  /** Complete pairs that passed only with the treatment, and only without. */
  flips: z.strictObject({ up: z.int().nonnegative(), down: z.int().nonnegative() }),
  /** Trials whose reward is exactly 1; `null` where that is not known. */
  passed: z.strictObject({
    baseline: z.int().nonnegative().nullable(),
    treatment: z.int().nonnegative().nullable(),
  }),
});
export type TaskFigures = z.infer<typeof TaskFigures>;

/** Trials by whether a stage of a Skill's use was reached. */
export const StageFigures = z.strictObject({
  yes: z.int().nonnegative(),
  no: z.int().nonnegative(),
  cannotTell: z.int().nonnegative(),
});
export type StageFigures = z.infer<typeof StageFigures>;

/** Trials of one arm by what the harness's own output says of one Skill; trials without an account are in none. */
export const SkillUseFigures = z.strictObject({
  condition: ConditionName,
  skill: z.string(),
  used: z.int().nonnegative(),
  notUsed: z.int().nonnegative(),
  cannotTell: z.int().nonnegative(),
  /** Trials whose output tells nothing and whose container held no Skill; in none of the other three. Absent: there are none. */
  notPresent: z.int().positive().optional(),
  /** Trials whose evidence tells how far it came; absent where none's does. */
  stages: z
    .strictObject({
      staged: StageFigures,
      listed: StageFigures,
      opened: StageFigures,
      scriptRun: StageFigures,
    })
    .optional(),
});
export type SkillUseFigures = z.infer<typeof SkillUseFigures>;

/** What a number of attempts asked of models. */
export const ModelSum = z.strictObject({
  /** Attempts that were let to a model, whether they asked or not. */
  attempts: z.int().nonnegative(),
  requests: z.int().nonnegative(),
  failedRequests: z.int().nonnegative(),
  usage: TokenUsage,
  usd: z.strictObject({
    /** US dollars of the attempts whose price is known; `null` when it is of none. */
    known: z.number().nonnegative().nullable(),
    /** Attempts that have no known price: their money comes on top. */
    unknownAttempts: z.int().nonnegative(),
  }),
});
export type ModelSum = z.infer<typeof ModelSum>;

/** What one arm asked of models. An attempt that left no record (its runner was killed) is in none of the sums. */
export const ModelFigures = z.strictObject({
  condition: ConditionName,
  /** Where the answers came from. */
  modes: z.array(ModelMode),
  askedModels: z.array(z.string()),
  servedModels: z.array(z.string()),
  /** Of the attempts that gave the verdicts. */
  scored: ModelSum,
  /** Of all attempts, those that were tried again among them. */
  all: ModelSum,
});
export type ModelFigures = z.infer<typeof ModelFigures>;

/** One configuration, and two conditions that are compared under it: the arms. */
export const ConfigurationFigures = z.strictObject({
  configuration: ConfigurationName,
  baseline: ConditionName,
  treatment: ConditionName,
  /** What it is made of, where that is known. */
  harness: z.string().optional(),
  model: z.string().optional(),
  /** Its harness stands outside the comparison (`oracle`, `nop`): left out of the overall figures. */
  control: z.boolean(),
  arms: z.array(ArmFigures),
  plannedTasks: z.int().nonnegative(),
  /** Fewer than 8 tasks: the figures describe these tasks and say little of others. */
  descriptive: z.boolean(),
  /** Pairs of trials that differ only in condition; complete: both have a verdict. */
  pairs: z.strictObject({ planned: z.int().nonnegative(), complete: z.int().nonnegative() }),
  /** Complete pairs whose verdict changed: `up` passed only with Skills, `down` only without. */
  flips: z.strictObject({ up: z.int().nonnegative(), down: z.int().nonnegative() }),
  /** Tasks with a scored trial in both arms: the paired set, over which rates and gain are taken. */
  pairedTasks: z.int().nonnegative(),
  /** Planned in both arms and without a scored trial in one: left out of the paired set, inconclusive. */
  unpairedTasks: z.array(TaskId),
  /** Pass rate with minus pass rate without. */
  gain: Bounded,
  /** Lowest and highest gain that any verdicts of the unscored trials could give, over every planned task. */
  gainRange: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** The gain taken over complete pairs alone. */
  gainOfCompletePairs: z.number().nullable(),
  /** gain / (1 - without), of the means. */
  normalizedGain: Bounded,
  /** Mean of the tasks' own normalized gains, and over how many it is defined: another figure. */
  meanTaskNormalizedGain: z.strictObject({
    value: z.number().nullable(),
    defined: z.int(),
    undefinedTasks: z.int(),
  }),
  /** 95 % interval of the gain over tasks, both arms together; `null` under two tasks, and under eight with one trial per task and arm. */
  gainInterval: Interval.nullable(),
  /** The same by a plain percentile bootstrap over tasks, which is too short for few tasks; `null` with one trial per task and arm. */
  gainBootstrap: Interval.nullable(),
  /** 95 % interval of the normalized gain; `null` also where the baseline failed nothing. */
  normalizedGainInterval: Interval.nullable(),
  /** `null` under eight tasks. */
  signFlip: SignFlipTest.nullable(),
  /** `null` without repeated trials. */
  noise: NoiseFigures.nullable(),
  /** Smallest true gain that such an experiment finds in 80 of 100 goes, by the spread that was seen. */
  detectableGain: z.number().nonnegative().nullable(),
  /** Tasks of the paired set with a negative gain. */
  regressions: z.array(TaskId),
  tasks: z.array(TaskFigures),
  /** Tasks that no scored trial passed, in either arm; and those that all passed. */
  nobodySolves: z.array(TaskId),
  everybodySolves: z.array(TaskId),
  /** Of its tasks, and of its trials by Skill use; without tests, which over so many slices would find something by chance. */
  slices: z.array(SliceFigures),
  resources: z.array(ResourceFigures),
  /** By arm, then by Skill. */
  skillUse: z.array(SkillUseFigures),
  /** By arm; absent where nothing asked a model. */
  models: z.array(ModelFigures).optional(),
});
export type ConfigurationFigures = z.infer<typeof ConfigurationFigures>;

/** A pair one of whose trials has no verdict. */
export const IncompletePair = z.strictObject({
  pair: z.string(),
  missing: z.array(z.strictObject({ trial: TrialId, reason: UnscoredReason })),
});
export type IncompletePair = z.infer<typeof IncompletePair>;

/** One gate and whether it held; `unevaluable` when its figure is undefined. */
export const GateResult = z.strictObject({
  gate: z.string(),
  configuration: z.string(),
  state: z.enum(['held', 'failed', 'unevaluable']),
  /** The figure that was looked at; `null` when it is undefined. */
  value: z.number().nullable(),
  threshold: z.number(),
  /** What was compared, in words and without numbers: those are `value` and `threshold`. */
  message: z.string(),
});
export type GateResult = z.infer<typeof GateResult>;

/** `measurement.json`: every number a report may print. */
export const Measurement = z.strictObject({
  schemaVersion: z.literal(1),
  counts: Counts,
  configurations: z.array(ConfigurationFigures),
  overall: OverallFigures,
  /** Further conditions against the same baseline; absent without any. */
  otherContrasts: z
    .array(
      z.strictObject({
        baseline: ConditionName,
        treatment: ConditionName,
        configurations: z.array(ConfigurationFigures),
        overall: OverallFigures,
      }),
    )
    .optional(),
  incompletePairs: z.array(IncompletePair),
  /** Coverage differs between arms, or something is unscored: the headline is not fit to publish, and why. */
  publishable: z.strictObject({ ok: z.boolean(), reasons: z.array(z.string()) }),
  gates: z.array(GateResult),
  warnings: z.array(z.string()),
});
export type Measurement = z.infer<typeof Measurement>;
