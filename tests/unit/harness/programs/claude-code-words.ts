import type { ProgramWords } from './lying-cases.ts';

const USAGE = {
  input_tokens: 2001,
  cache_creation_input_tokens: 40,
  cache_read_input_tokens: 600,
  output_tokens: 101,
};

/** The first event, as Claude Code writes it. */
export function init(more: object = {}) {
  return {
    type: 'system',
    subtype: 'init',
    cwd: '/ws',
    session_id: 'b7c1',
    tools: ['Bash', 'Read', 'Skill'],
    model: 'fake-model',
    permissionMode: 'bypassPermissions',
    skills: ['alpha', 'beta', 'dataviz'],
    claude_code_version: '2.1.332',
    ...more,
  };
}

/** One block of the assistant. */
export function assistant(block: object, model = 'fake-model') {
  const usage = { input_tokens: 1000, output_tokens: 1 };
  return { type: 'assistant', message: { id: 'msg_0', role: 'assistant', model, content: [block], usage } };
}

/** A call. */
export function toolUse(id: string, name: string, input: object) {
  return assistant({ type: 'tool_use', id, name, input });
}

/** The answer to a call. */
export function toolResult(id: string, content: unknown, isError = false) {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  return { type: 'user', message: { role: 'user', content: [block] } };
}

/** The last event; `type` is not its first member. */
export function result(more: object = {}) {
  return {
    duration_ms: 2300,
    is_error: false,
    subtype: 'success',
    type: 'result',
    result: 'Done.',
    terminal_reason: 'completed',
    num_turns: 2,
    usage: USAGE,
    permission_denials: [],
    ...more,
  };
}

function failure(status: number, words: string) {
  const flags = { is_error: true, api_error_status: status, terminal_reason: 'api_error' };
  return [assistant({ type: 'text', text: words }, '<synthetic>'), result({ ...flags, result: words })];
}

/** How Claude Code writes what the cases are made of. */
export const claudeWords: ProgramWords = {
  kind: 'claude-code',
  start: [init()],
  callOnly: (command) => [toolUse('toolu_1', 'Bash', { command })],
  shell: (command, output = '(Bash completed with no output)') => [
    toolUse('toolu_1', 'Bash', { command, description: 'work' }),
    toolResult('toolu_1', output),
  ],
  text: (text) => [assistant({ type: 'text', text })],
  success: (finalText) => [result({ result: finalText })],
  flagged: [result({ is_error: true, result: '' })],
  failedTurn: failure(500, 'API Error: 500 {"type":"error","error":{"type":"api_error"}}'),
  failedInside: [
    result({ subtype: 'error_during_execution', is_error: true, result: undefined, errors: ['hook broke'] }),
  ],
  retry: (attempt) => [
    {
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: 10,
      retry_delay_ms: 597,
      error_status: 500,
      error: 'server_error',
    },
  ],
  refusedKey: failure(401, 'Failed to authenticate. API Error: 401 {"type":"error"}'),
  refusedRate: failure(429, 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}'),
  unknown: { type: 'dance', message: 'x' },
};
