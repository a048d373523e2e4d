import { z } from 'zod';
import { Phase } from './phase.ts';
import { Verdict } from './verdict.ts';

/** How the agent ended. Says nothing of the verdict: an agent that ran out of time is still verified. */
export const Ending = z.enum([
  /** The agent's process ended by itself with exit code 0. */
  'completed',
  /** It ended by itself with another exit code. */
  'crashed',
  /** A time limit ended it. */
  'timed-out',
  /** The engine reported that memory ran out. */
  'out-of-memory',
  /** It wrote more than it may: output, or to the disk of its container. */
  'out-of-space',
  /** It never started. */
  'not-started',
  /** Something outside ended it by a signal. */
  'killed',
]);
export type Ending = z.infer<typeof Ending>;

/** Why a trial has no verdict. Closed: every reader handles each. */
export const UNSCORED_REASONS = {
  'build-failed': 'the task image or a bundle could not be built',
  'start-failed': 'the container could not be created or started',
  'runtime-lost': 'the container engine went away or lost the container',
  'harness-install-failed': 'the harness bundle could not be built or does not run on the image',
  'harness-protocol': 'the harness ended without a result that can be read',
  'provider-limit': 'the model provider refused for rate or quota',
  'provider-auth': 'the model provider refused the key',
  'provider-error': 'the model provider failed',
  'model-mismatch': 'another model answered than the one asked for',
  'budget-exhausted': 'the budget for requests, tokens or money was used up',
  'verifier-error': 'the verifier gave no complete report that belongs to this attempt',
  'condition-violated': 'the container did not hold exactly the Skills of its condition',
  'arms-differ': 'there was a verdict, but the arms of its pair differed in more than their Skills',
  cancelled: 'the run was interrupted while this trial ran',
  'not-run': 'the trial was planned and never started',
  'not-told': 'it was imported, and its file tells neither a verdict nor why there is none',
  internal: 'a fault of skillpair itself',
} as const;
/** A key of {@link UNSCORED_REASONS}. */
export type UnscoredReason = keyof typeof UNSCORED_REASONS;
/** Reads an {@link UnscoredReason} from a record. */
export const UnscoredReason = z.enum(Object.keys(UNSCORED_REASONS) as [UnscoredReason, ...UnscoredReason[]]);

/** A verdict from a verifier that ran to its end. */
export const Scored = z.strictObject({ kind: z.literal('scored'), verdict: Verdict });
export type Scored = z.infer<typeof Scored>;

/** No verdict, and why. Never counted as 0 and never dropped. */
export const Unscored = z.strictObject({
  kind: z.literal('unscored'),
  reason: UnscoredReason,
  phase: Phase,
  detail: z.string(),
});
export type Unscored = z.infer<typeof Unscored>;

/** What a trial came to. */
export const Outcome = z.discriminatedUnion('kind', [Scored, Unscored]);
export type Outcome = z.infer<typeof Outcome>;
