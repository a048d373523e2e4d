import { z } from 'zod';
import { Interval } from './uncertainty.ts';

/** What a trial costs: `agent-ms` and `attempt-ms` in milliseconds, tokens and requests as counted, `usd` in dollars where all is priced. */
export const ResourceKind = z.enum([
  'agent-ms',
  'attempt-ms',
  'requests',
  'input-tokens',
  'cached-input-tokens',
  'output-tokens',
  'usd',
]);
export type ResourceKind = z.infer<typeof ResourceKind>;

/** One resource per scored trial (the attempt that counts): means over tasks, and the paired difference. */
export const ResourceFigures = z.strictObject({
  resource: ResourceKind,
  /** Tasks with a known value in both arms. */
  tasks: z.int().positive(),
  baseline: z.number().nonnegative(),
  treatment: z.number().nonnegative(),
  /** Treatment minus baseline. */
  difference: z.number(),
  /** 95 %, Student's over tasks; `null` under two tasks. */
  differenceInterval: Interval.nullable(),
});
export type ResourceFigures = z.infer<typeof ResourceFigures>;
