import { z } from 'zod';
import { ConfigurationName, HarnessId } from './ids.ts';

/** Harness x model x settings: what a row of a leaderboard names. */
export const Configuration = z.strictObject({
  name: ConfigurationName,
  harness: HarnessId,
  model: z.string().optional(),
  /** Account under `models.providers`. */
  provider: z.string().optional(),
  env: z.record(z.string(), z.string()),
});
export type Configuration = z.infer<typeof Configuration>;
