import { z } from 'zod';

const Content = z.array(z.looseObject({ text: z.string().optional() })).nullish();
const timed = { timestamp: z.string().optional() };

const count = z.number().nonnegative().optional();

/** Tokens of one use of a model. */
export const OpenHandsTokens = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  reasoning_tokens: count,
});
export type OpenHandsTokens = z.infer<typeof OpenHandsTokens>;

/** Kinds of events that are known and say nothing that is needed. */
const SILENT = [
  'SystemPromptEvent',
  'Condensation',
  'CondensationRequest',
  'CondensationSummaryEvent',
  'TokenEvent',
  'StreamingDeltaEvent',
  'LLMCompletionLogEvent',
  'HookExecutionEvent',
  'SecurityAnalysisEvent',
  'PauseEvent',
  'InterruptEvent',
  'ACPToolCallEvent',
] as const;

/**
 * Events of the OpenHands SDK 1.58.2, one JSON object a line; `openhands --headless --json` (1.16.0, with the SDK 1.21.0)
 * prints the same but for later kinds and `classification`. `RunStarted` and `RunEnded` are our bundle's own, round them.
 */
export const OpenHandsEvent = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('MessageEvent'),
    ...timed,
    source: z.string(),
    llm_message: z.looseObject({ content: Content, reasoning_content: z.string().nullish() }),
    activated_skills: z.array(z.string()).optional(),
  }),
  z.looseObject({
    kind: z.literal('ActionEvent'),
    ...timed,
    thought: Content,
    reasoning_content: z.string().nullish(),
    action: z
      .looseObject({
        kind: z.string().optional(),
        message: z.string().optional(),
        thought: z.string().optional(),
      })
      .nullish(),
    tool_name: z.string(),
    tool_call_id: z.string().optional(),
    tool_call: z.looseObject({ arguments: z.unknown().optional() }).nullish(),
  }),
  z.looseObject({
    kind: z.literal('ObservationEvent'),
    ...timed,
    tool_call_id: z.string().optional(),
    observation: z.looseObject({
      content: Content,
      is_error: z.boolean().nullish(),
      exit_code: z.number().nullish(),
    }),
  }),
  z.looseObject({
    kind: z.literal('UserRejectObservation'),
    ...timed,
    tool_call_id: z.string().optional(),
    rejection_reason: z.string().optional(),
  }),
  z.looseObject({
    kind: z.literal('AgentErrorEvent'),
    ...timed,
    tool_call_id: z.string().optional(),
    error: z.string(),
  }),
  z.looseObject({
    kind: z.literal('ConversationErrorEvent'),
    ...timed,
    code: z.string(),
    detail: z.string(),
    classification: z.looseObject({ kind: z.string() }).nullish(),
  }),
  z.looseObject({
    kind: z.literal('ConversationStateUpdateEvent'),
    ...timed,
    key: z.string(),
    value: z.unknown().optional(),
  }),
  z.looseObject({ kind: z.enum(SILENT), ...timed }),
  z.looseObject({
    kind: z.literal('RunStarted'),
    ...timed,
    version: z.string().optional(),
    model: z.string().optional(),
  }),
  z.looseObject({
    kind: z.literal('RunEnded'),
    ...timed,
    status: z.string(),
    error: z.string().nullish(),
    usage: OpenHandsTokens.nullish(),
  }),
]);
export type OpenHandsEvent = z.infer<typeof OpenHandsEvent>;

/** Token sums per use of a model, as the conversation's state holds them. */
export const OpenHandsStats = z.looseObject({
  usage_to_metrics: z.record(
    z.string(),
    z.looseObject({
      model_name: z.string().optional(),
      accumulated_token_usage: OpenHandsTokens.nullish(),
    }),
  ),
});
export type OpenHandsStats = z.infer<typeof OpenHandsStats>;

/** The parts of a conversation's `base_state.json` that are read. */
export const OpenHandsState = z.looseObject({
  id: z.string().optional(),
  execution_status: z.string().optional(),
  stats: OpenHandsStats.nullish(),
});
