import { z } from 'zod';
import { RunId, TrialId } from './ids.ts';
import { Outcome } from './outcome.ts';
import { Phase } from './phase.ts';

const at = z.iso.datetime();
const ofAttempt = { at, trial: TrialId, attempt: z.int().positive() };

/** What happens during a run, in order; `events.jsonl` is these, one a line, and progress displays are their readers. */
export const RunEvent = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('run-started'),
    at,
    run: RunId,
    planned: z.int(),
    toRun: z.int(),
    resumed: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('build-started'), at, what: z.string() }),
  z.strictObject({
    kind: z.literal('build-ended'),
    at,
    what: z.string(),
    durationMs: z.number(),
    cached: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('trial-started'), ...ofAttempt }),
  z.strictObject({ kind: z.literal('phase-started'), ...ofAttempt, phase: Phase }),
  z.strictObject({ kind: z.literal('phase-ended'), ...ofAttempt, phase: Phase, durationMs: z.number() }),
  z.strictObject({
    kind: z.literal('trial-ended'),
    ...ofAttempt,
    outcome: Outcome,
    durationMs: z.number(),
    /** False when a further attempt follows. */
    final: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('notice'), at, message: z.string(), trial: TrialId.optional() }),
  z.strictObject({
    kind: z.literal('run-ended'),
    at,
    run: RunId,
    reason: z.enum(['done', 'interrupted', 'stopped']),
  }),
]);
export type RunEvent = z.infer<typeof RunEvent>;

/** Hands one event to whoever listens: journal, progress display. Never rejects. */
export type Emit = (event: RunEvent) => void;
