import { z } from 'zod';
import { ConfigurationName, TaskId } from './ids.ts';
import { SliceFigures } from './slice-figures.ts';
import { Interval, SignFlipTest } from './uncertainty.ts';

/** One task over configurations, each alike: means of its rates and of its gains, over those where both arms are scored. */
export const TaskAverage = z.strictObject({
  task: TaskId,
  configurations: z.int().nonnegative(),
  baseline: z.number().nullable(),
  treatment: z.number().nullable(),
  gain: z.number().nullable(),
});
export type TaskAverage = z.infer<typeof TaskAverage>;

/**
 * Over configurations: the macro average of their figures, and, under another name, the gain of the averages.
 * Configurations without a gain, and controls, are left out; `configurations` says how many are in.
 */
export const OverallFigures = z.strictObject({
  configurations: z.int().nonnegative(),
  leftOut: z.array(ConfigurationName),
  baseline: z.number().nullable(),
  treatment: z.number().nullable(),
  gain: z.number().nullable(),
  /** Mean of the configurations' normalized gains, over those where it is defined. */
  meanNormalizedGain: z.strictObject({
    value: z.number().nullable(),
    defined: z.int().nonnegative(),
    undefinedConfigurations: z.int().nonnegative(),
  }),
  /** Normalized gain of the averaged rates: another figure. */
  normalizedGainOfMeans: z.number().nullable(),
  /** 95 % intervals over tasks, all configurations together; `null` where one of them has none. */
  baselineInterval: Interval.nullable(),
  treatmentInterval: Interval.nullable(),
  gainInterval: Interval.nullable(),
  meanNormalizedGainInterval: Interval.nullable(),
  /** Of the tasks' mean gains; `null` under eight tasks. */
  signFlip: SignFlipTest.nullable(),
  /** Tasks of the configurations that are in, by id. */
  tasks: z.array(TaskAverage),
  /** Tasks whose mean gain is negative, the worst first. */
  negativeTasks: z.array(TaskId),
  /** Tasks that no scored trial passed, in either arm and any configuration; and those that all passed. */
  nobodySolves: z.array(TaskId),
  everybodySolves: z.array(TaskId),
  /** Mean of the ten largest mean gains of tasks; `null` under ten tasks with a gain. */
  meanOfTenLargestGains: z.number().nullable(),
  /** Of tasks (their means over configurations) and of configurations. */
  slices: z.array(SliceFigures),
});
export type OverallFigures = z.infer<typeof OverallFigures>;
