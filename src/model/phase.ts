import { z } from 'zod';

/** The parts of a trial, in order. */
export const PHASES = ['build', 'start', 'inject', 'check', 'agent', 'verify', 'collect'] as const;
/** One of {@link PHASES}. */
export const Phase = z.enum(PHASES);
export type Phase = z.infer<typeof Phase>;
