import { assistant, toolResult, toolUse } from './claude-code-words.ts';
import type { ProgramWords } from './lying-cases.ts';

/** The first event, as Qwen Code writes it. */
export function init(more: object = {}) {
  return {
    type: 'system',
    subtype: 'init',
    session_id: 'q-1',
    cwd: '/workspace',
    tools: ['skill', 'run_shell_command'],
    model: 'fake-model',
    permission_mode: 'yolo',
    qwen_code_version: '0.24.4',
    ...more,
  };
}

/** The last event; what came from the cache is a part of the input. */
export function result(more: object = {}) {
  const usage = { input_tokens: 2001, output_tokens: 101, cache_read_input_tokens: 600, total_tokens: 2102 };
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    num_turns: 2,
    result: 'Done.',
    usage,
    permission_denials: [],
    ...more,
  };
}

function failed(message: string) {
  const error = { message };
  return [result({ subtype: 'error_during_execution', is_error: true, result: undefined, error })];
}

/** How Qwen Code writes what the cases are made of. It does not tell of retries. */
export const qwenWords: ProgramWords = {
  kind: 'qwen-code',
  start: [init()],
  callOnly: (command) => [toolUse('call_1', 'run_shell_command', { command })],
  shell: (command, output = 'Output: (empty)') => [
    toolUse('call_1', 'run_shell_command', { command, description: 'work' }),
    toolResult('call_1', output),
  ],
  text: (text) => [assistant({ type: 'text', text })],
  success: (finalText) => [result({ result: finalText })],
  flagged: [result({ is_error: true, result: '' })],
  failedTurn: failed('[API Error: 500 scripted fault]'),
  failedInside: failed('a hook broke'),
  retry: undefined,
  refusedKey: failed('[API Error: 401 scripted fault]'),
  refusedRate: failed('[API Error: 429 scripted fault]'),
  unknown: { type: 'dance' },
};
