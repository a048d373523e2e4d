import { z } from 'zod';

const count = z.number().nonnegative().optional();
const timed = { timestamp: z.string().optional() };
const ErrorWords = z.looseObject({ type: z.string().optional(), message: z.string().optional() }).nullish();

/** The end, as Gemini CLI writes it; `error` may be missing where `status` says that there was one. */
export const GeminiResult = z.looseObject({
  type: z.literal('result'),
  ...timed,
  status: z.string(),
  error: ErrorWords,
  stats: z
    .looseObject({
      total_tokens: count,
      input_tokens: count,
      output_tokens: count,
      cached: count,
    })
    .nullish(),
});
export type GeminiResult = z.infer<typeof GeminiResult>;

/** Events of `gemini --output-format stream-json` (0.61.0). */
export const GeminiEvent = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('init'),
    ...timed,
    session_id: z.string().optional(),
    model: z.string().optional(),
  }),
  z.looseObject({
    type: z.literal('message'),
    ...timed,
    role: z.string(),
    content: z.string(),
    delta: z.boolean().optional(),
  }),
  z.looseObject({
    type: z.literal('tool_use'),
    ...timed,
    tool_name: z.string(),
    tool_id: z.string().optional(),
    parameters: z.unknown().optional(),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    ...timed,
    tool_id: z.string().optional(),
    status: z.string(),
    output: z.unknown().optional(),
    error: ErrorWords,
  }),
  z.looseObject({ type: z.literal('error'), ...timed, severity: z.string().optional(), message: z.string() }),
  GeminiResult,
]);
export type GeminiEvent = z.infer<typeof GeminiEvent>;
