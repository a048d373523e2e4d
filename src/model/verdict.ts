import { z } from 'zod';

/** One check of the verifier. `failed` includes errors in set-up or tear-down. */
export const TestResult = z.strictObject({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  message: z.string().optional(),
  durationMs: z.number().nonnegative().optional(),
});
export type TestResult = z.infer<typeof TestResult>;

/** What the verifier said: `passed` means reward 1. Rewards are in [0, 1]. */
export const Verdict = z.strictObject({
  passed: z.boolean(),
  reward: z.number().min(0).max(1),
  /** The reward as the verifier wrote it, where it wrote one. */
  rewardText: z.string().optional(),
  tests: z.array(TestResult),
});
export type Verdict = z.infer<typeof Verdict>;
