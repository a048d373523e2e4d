import type { TokenUsage } from '../model/model-use.ts';
import type { ClaudeResult } from './claude-code-events.ts';
import { claudeMachine } from './claude-code-machine.ts';
import { programReader } from './read-program.ts';

/**
 * Reads `qwen --output-format stream-json` (0.24.4): Claude Code's lines, with another tool for Skills, of whose answer only
 * the description is shown, and with cached tokens as a part of the input.
 */
export const qwenCodeReader = programReader({
  harness: 'qwen-code',
  title: 'Qwen Code',
  skillTool: { tool: 'skill', member: 'skill' },
  start: (draft) => claudeMachine(draft, qwenUsage),
});

/** Where no request was answered it writes zeros: those are no counts. */
function qwenUsage({ usage }: ClaudeResult): TokenUsage | undefined {
  const { input_tokens: input, output_tokens: output, cache_read_input_tokens: cachedInput } = usage ?? {};
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  return { input, ...(cachedInput === undefined ? {} : { cachedInput }), output };
}
