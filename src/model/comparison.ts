import { z } from 'zod';
import { ConditionName, ConfigurationName, TaskId } from './ids.ts';
import { Interval, SignFlipTest } from './uncertainty.ts';

/** Mean reward of the scored trials, and how many those are; `null` without any. */
export const ComparedRate = z.strictObject({
  rate: z.number().nullable(),
  scored: z.int().nonnegative(),
});
export type ComparedRate = z.infer<typeof ComparedRate>;

/**
 * How a task moved. `won`, `lost`: all trials of the one run passed and none of the other; `higher`, `lower`: the rate moved, and not as far
 * as that; `inconclusive`: one of the runs has no verdict.
 */
export const Movement = z.enum(['lost', 'lower', 'same', 'higher', 'won', 'inconclusive']);
export type Movement = z.infer<typeof Movement>;

/** One task in one arm of a configuration, in both runs. */
export const ComparedTask = z.strictObject({
  task: TaskId,
  condition: ConditionName,
  before: ComparedRate,
  after: ComparedRate,
  /** After minus before; `null` where it is inconclusive. */
  change: z.number().nullable(),
  movement: Movement,
  /** Trials of one and the same run disagree: what moved may be chance. */
  unsteady: z.boolean(),
});
export type ComparedTask = z.infer<typeof ComparedTask>;

/** A figure in both runs, over the tasks that both have with the same files and a verdict. */
export const ComparedFigure = z.strictObject({
  tasks: z.int().nonnegative(),
  before: z.number().nullable(),
  after: z.number().nullable(),
  /** Mean over tasks of after minus before. */
  change: z.number().nullable(),
  /** 95 % interval of the change over tasks; `null` under two tasks, and under eight with single trials. */
  interval: Interval.nullable(),
  /** Whether changes this far from 0 come about by chance; `null` under eight tasks. */
  signFlip: SignFlipTest.nullable(),
});
export type ComparedFigure = z.infer<typeof ComparedFigure>;

/** A configuration that both runs have. */
export const ComparedConfiguration = z.strictObject({
  /** In the earlier run, and in the later one, which may have another model. */
  before: ConfigurationName,
  after: ConfigurationName,
  /** Its harness stands outside the comparison (`oracle`, `nop`): what it does tells of tasks, and decides nothing. */
  control: z.boolean(),
  arms: z.array(z.strictObject({ condition: ConditionName, figure: ComparedFigure })),
  gain: ComparedFigure,
  /** By task, then by arm. */
  tasks: z.array(ComparedTask),
});
export type ComparedConfiguration = z.infer<typeof ComparedConfiguration>;

/** `skillpair compare --json`: what moved between two runs, next to what changed. */
export const Comparison = z.strictObject({
  schemaVersion: z.literal(1),
  before: z.string(),
  after: z.string(),
  /** Differences of what the runs were made of, in words; empty: none that is recorded. */
  changed: z.array(z.string()),
  configurations: z.array(ComparedConfiguration),
  /** Whose files (instruction, environment, tests) differ, so that their rates say nothing of each other: in no figure. */
  otherTasks: z.array(TaskId),
  /** In one run alone. */
  onlyBefore: z.strictObject({ tasks: z.array(TaskId), configurations: z.array(ConfigurationName) }),
  onlyAfter: z.strictObject({ tasks: z.array(TaskId), configurations: z.array(ConfigurationName) }),
});
export type Comparison = z.infer<typeof Comparison>;
