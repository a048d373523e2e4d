import { z } from 'zod';
import { Interval, SignFlipTest } from './uncertainty.ts';

/** What tasks, or configurations, are sorted by. */
export const SliceKind = z.enum([
  'domain',
  'capability',
  'difficulty',
  /** Skills in the task's bundle. */
  'skills',
  /** Bytes of its SKILL.md files together, at percentiles 25, 50 and 95 of the tasks. */
  'skill-length',
  /** With-skills trials by what the harness's output shows: trials choose themselves, so such a slice explains nothing. */
  'skill-use',
  'harness',
  'model-family',
]);
export type SliceKind = z.infer<typeof SliceKind>;

/** A part of the tasks (all configurations that have them) or of the configurations (all their tasks). */
export const SliceFigures = z.strictObject({
  by: SliceKind,
  value: z.string(),
  /** Tasks with both rates, which the figures are means of. */
  tasks: z.int().nonnegative(),
  baseline: z.number().nullable(),
  treatment: z.number().nullable(),
  gain: z.number().nullable(),
  /** Under eight tasks, or of trials that chose themselves: no test, and it says little of others. */
  descriptive: z.boolean(),
  gainInterval: Interval.nullable(),
  signFlip: SignFlipTest.nullable(),
});
export type SliceFigures = z.infer<typeof SliceFigures>;
