import { z } from 'zod';

const count = z.number().nonnegative().optional();

/** An item of Codex's stream. Each kind fills other members. */
export const CodexItem = z.looseObject({
  id: z.string().optional(),
  type: z.string(),
  text: z.string().optional(),
  message: z.string().optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  aggregated_output: z.string().nullish(),
  exit_code: z.number().nullish(),
  status: z.string().optional(),
  changes: z.unknown().optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  query: z.string().optional(),
});
export type CodexItem = z.infer<typeof CodexItem>;

/** Kinds of items that are known; an item of another kind is an unknown event. */
export const CODEX_TOOLS = [
  'command_execution',
  'file_change',
  'mcp_tool_call',
  'web_search',
  'collab_tool_call',
] as const;
const SPOKEN = ['agent_message', 'reasoning', 'error', 'todo_list'] as const;
const KNOWN: readonly string[] = [...CODEX_TOOLS, ...SPOKEN];
const item = CodexItem.refine(({ type }) => KNOWN.includes(type));

/** Events of `codex exec --json` (0.171.0). They have no times, no model and no version: those are in its session file. */
export const CodexEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('thread.started'), thread_id: z.string().optional() }),
  z.looseObject({ type: z.literal('turn.started') }),
  z.looseObject({ type: z.literal('item.started'), item }),
  z.looseObject({ type: z.literal('item.updated'), item }),
  z.looseObject({ type: z.literal('item.completed'), item }),
  z.looseObject({
    type: z.literal('turn.completed'),
    usage: z
      .looseObject({
        input_tokens: count,
        cached_input_tokens: count,
        cache_write_input_tokens: count,
        output_tokens: count,
        reasoning_output_tokens: count,
      })
      .nullish(),
  }),
  z.looseObject({ type: z.literal('turn.failed'), error: z.looseObject({ message: z.string() }).nullish() }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
]);
export type CodexEvent = z.infer<typeof CodexEvent>;

/** Lines of a session file (`rollout-*.jsonl`) that say what the stream does not. */
export const CodexSessionLine = z.looseObject({
  timestamp: z.string().optional(),
  type: z.string(),
  payload: z.looseObject({ cli_version: z.string().optional(), model: z.string().optional() }).nullish(),
});
