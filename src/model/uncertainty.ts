import { z } from 'zod';

/** A 95 % interval. */
export const Interval = z.strictObject({ low: z.number(), high: z.number() });
export type Interval = z.infer<typeof Interval>;

/** Whether gains this far from 0 come about when both arms are alike: each task's gain with its sign or the other. */
export const SignFlipTest = z.strictObject({
  pValue: z.number().min(0).max(1),
  /** `exact`: all patterns of signs were counted; `drawn`: so many were drawn. */
  method: z.enum(['exact', 'drawn']),
  patterns: z.int().positive(),
});
export type SignFlipTest = z.infer<typeof SignFlipTest>;

/** What repeated trials of the same task tell of luck: standard deviations. */
export const NoiseFigures = z.strictObject({
  /** Tasks with two trials or more in both arms, which this is from. */
  tasks: z.int().positive(),
  /** Of one trial's reward round its task's rate. */
  trialSd: z.number().nonnegative(),
  /** Of a task's gain, by the luck of its trials; and by how tasks differ. Their squares add up to the variance of the gains. */
  gainSdByLuck: z.number().nonnegative(),
  gainSdByTask: z.number().nonnegative(),
});
export type NoiseFigures = z.infer<typeof NoiseFigures>;
