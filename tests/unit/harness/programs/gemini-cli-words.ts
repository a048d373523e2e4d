import type { ProgramWords } from './lying-cases.ts';

/** A call. */
export function toolUse(id: string, name: string, parameters: object, timestamp?: string) {
  return { type: 'tool_use', timestamp, tool_name: name, tool_id: id, parameters };
}

/** The answer to a call. */
export function toolResult(id: string, output: string, more: object = {}) {
  return { type: 'tool_result', tool_id: id, status: 'success', output, ...more };
}

/** A piece of what the assistant says. */
export function piece(content: string) {
  return { type: 'message', role: 'assistant', content, delta: true };
}

/** The last event; thought tokens are in the total only. */
export function result(more: object = {}) {
  const stats = {
    total_tokens: 2116,
    input_tokens: 2001,
    output_tokens: 101,
    cached: 600,
    input: 1401,
    duration_ms: 4100,
    tool_calls: 1,
  };
  return { type: 'result', status: 'success', stats, ...more };
}

const failed = (message: string) => [result({ status: 'error', error: { type: 'unknown', message } })];

/** How Gemini CLI writes what the cases are made of. It does not tell of retries. */
export const geminiWords: ProgramWords = {
  kind: 'gemini-cli',
  start: [
    { type: 'init', timestamp: '2026-11-29T10:00:00.000Z', session_id: 's-1', model: 'gemini-2.5-pro' },
    { type: 'message', role: 'user', content: 'Do it.' },
  ],
  callOnly: (command) => [toolUse('c1', 'run_shell_command', { command })],
  shell: (command, output = 'Output: (empty)') => [
    toolUse('c1', 'run_shell_command', { command, description: 'work' }),
    toolResult('c1', output),
  ],
  text: (text) => [piece(text.slice(0, 5)), piece(text.slice(5))],
  success: () => [result()],
  flagged: [result({ status: 'error' })],
  failedTurn: failed('[API Error: {"error":{"code":503,"message":"down","status":"UNAVAILABLE"}}]'),
  failedInside: failed('a hook broke'),
  retry: undefined,
  refusedKey: failed('[API Error: {"error":{"code":401,"message":"bad","status":"UNAUTHENTICATED"}}]'),
  refusedRate: failed('[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]'),
  unknown: { type: 'dance' },
};
