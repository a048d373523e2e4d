import { z } from 'zod';

const count = z.number().nonnegative().optional();
/** Milliseconds since 1970. */
const timed = { timestamp: z.number().optional(), sessionID: z.string().optional() };

/** Those from the cache are no part of `input`. */
const Tokens = z.looseObject({
  input: count,
  output: count,
  reasoning: count,
  cache: z.looseObject({ read: count, write: count }).optional(),
});
/** Tokens of one answer. */
export type OpenCodeTokens = z.infer<typeof Tokens>;

/** A call with its answer: both come in one event, when the answer is there. */
const ToolPart = z.looseObject({
  tool: z.string(),
  callID: z.string().optional(),
  state: z.looseObject({
    status: z.string(),
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    error: z.string().optional(),
    metadata: z.looseObject({ exit: z.number().nullish() }).optional(),
  }),
});

const Failure = z.looseObject({
  name: z.string().optional(),
  data: z.looseObject({ message: z.string().optional(), statusCode: z.number().optional() }).optional(),
});
/** Why the work stopped. */
export type OpenCodeFailure = z.infer<typeof Failure>;

/** Events of `opencode run --format json` (1.18.33). */
export const OpenCodeEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('step_start'), ...timed }),
  z.looseObject({ type: z.literal('tool_use'), ...timed, part: ToolPart }),
  z.looseObject({ type: z.literal('text'), ...timed, part: z.looseObject({ text: z.string() }) }),
  z.looseObject({ type: z.literal('reasoning'), ...timed, part: z.looseObject({ text: z.string() }) }),
  z.looseObject({
    type: z.literal('step_finish'),
    ...timed,
    part: z.looseObject({ reason: z.string(), tokens: Tokens.optional() }),
  }),
  z.looseObject({ type: z.literal('error'), ...timed, error: Failure.optional() }),
]);
export type OpenCodeEvent = z.infer<typeof OpenCodeEvent>;
