import { z } from 'zod';

const count = z.number().nonnegative().optional();

/** A block of a message: text, thinking, a call or its answer. */
export const ClaudeBlock = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
export type ClaudeBlock = z.infer<typeof ClaudeBlock>;

const Message = z.looseObject({
  model: z.string().optional(),
  content: z.union([z.string(), z.array(ClaudeBlock)]).optional(),
});
const timed = { timestamp: z.string().optional() };

/** The end, as Claude Code writes it. `subtype` says `success` for failed requests too: `is_error` decides. */
export const ClaudeResult = z.looseObject({
  type: z.literal('result'),
  subtype: z.string().optional(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.unknown()).optional(),
  /** Qwen Code's. */
  error: z.looseObject({ message: z.string().optional() }).nullish(),
  api_error_status: z.number().nullish(),
  terminal_reason: z.string().nullish(),
  usage: z
    .looseObject({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    })
    .nullish(),
  /** Sums per model, those of side requests and sub-agents included. */
  modelUsage: z
    .record(
      z.string(),
      z.looseObject({
        inputTokens: count,
        outputTokens: count,
        cacheReadInputTokens: count,
        cacheCreationInputTokens: count,
      }),
    )
    .nullish(),
});
export type ClaudeResult = z.infer<typeof ClaudeResult>;

/** Events of `claude -p --output-format stream-json --verbose` (2.1.332), and the kinds that say nothing that is needed. */
export const ClaudeEvent = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('system'),
    subtype: z.string(),
    ...timed,
    session_id: z.string().optional(),
    model: z.string().optional(),
    claude_code_version: z.string().optional(),
    qwen_code_version: z.string().optional(),
    skills: z.array(z.string()).optional(),
    error_status: z.number().nullish(),
    error: z.unknown().optional(),
  }),
  z.looseObject({ type: z.literal('assistant'), ...timed, message: Message }),
  z.looseObject({
    type: z.literal('user'),
    ...timed,
    message: Message,
    isSynthetic: z.boolean().optional(),
  }),
  ClaudeResult,
  z.looseObject({ type: z.literal('stream_event') }),
  z.looseObject({ type: z.literal('tool_progress') }),
  z.looseObject({ type: z.literal('rate_limit_event') }),
]);
export type ClaudeEvent = z.infer<typeof ClaudeEvent>;
