import { z } from 'zod';
import { TokenUsage } from './model-use.ts';

/** When a step was written, as the program's own clock says it; absent where its output has no times. */
const at = z.iso.datetime({ offset: true, local: true }).optional();

/**
 * 1, 2, ...: what the model said and called between two answers of tools, as the order of the output tells. Outputs do not
 * name the single answers of the model.
 */
const turn = z.int().positive();

/** One thing that was said or done, in the order of the program's output. Long texts are clipped, with a mark that says so. */
export const TrajectoryStep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('user'), text: z.string(), at }),
  z.strictObject({ kind: z.literal('assistant'), turn, text: z.string(), at }),
  z.strictObject({ kind: z.literal('reasoning'), turn, text: z.string(), at }),
  z.strictObject({
    kind: z.literal('tool-call'),
    turn,
    /** The program's own id of the call, where it has one. */
    call: z.string().optional(),
    name: z.string(),
    input: z.unknown(),
    /** What the tool answered; absent when the output ended before it did. */
    result: z.string().optional(),
    /** As the program marks it; a command that exits non-zero is a failed one only where the program says so. */
    failed: z.boolean().optional(),
    at,
    /** From the call to its answer, where both have times. */
    durationMs: z.number().nonnegative().optional(),
  }),
]);
export type TrajectoryStep = z.infer<typeof TrajectoryStep>;

/** How much a trajectory holds and how much of the output it could not hold. */
export const TrajectoryCounts = z.strictObject({
  /** Events of the output that were understood. */
  events: z.int().nonnegative(),
  /** Lines of the output that are no event that is known. */
  unknownEvents: z.int().nonnegative(),
  toolCalls: z.int().nonnegative(),
  failedToolCalls: z.int().nonnegative(),
  /** Steps beyond the limit: counted, not kept. */
  droppedSteps: z.int().nonnegative(),
  /** Texts of which a part was cut out. */
  clippedTexts: z.int().nonnegative(),
});
export type TrajectoryCounts = z.infer<typeof TrajectoryCounts>;

/** `agent/trajectory.json`: what the agent said and did, in one shape for all harnesses. */
export const Trajectory = z.strictObject({
  schemaVersion: z.literal(1),
  /** Id of the harness's trajectory reader. */
  harness: z.string(),
  /** The program's version as its own output says it. */
  version: z.string().optional(),
  /** The model as the program's own output says it. */
  model: z.string().optional(),
  /** The program's own id of the session. */
  session: z.string().optional(),
  steps: z.array(TrajectoryStep),
  /** What the agent said last, as its answer to the instruction. */
  finalText: z.string().optional(),
  /** As the program counted; empty when it ended before it said. */
  usage: TokenUsage,
  /** False when the output ends within a line or without the program's own end. */
  whole: z.boolean(),
  counts: TrajectoryCounts,
});
export type Trajectory = z.infer<typeof Trajectory>;
