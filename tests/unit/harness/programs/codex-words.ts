import type { ProgramWords } from './lying-cases.ts';

/** An item that is over. */
export function completed(item: object) {
  return { type: 'item.completed', item };
}

/** A command, as an item that is over. */
export function command(text: string, output = '', exitCode = 0) {
  return {
    id: 'item_1',
    type: 'command_execution',
    command: `/bin/bash -lc '${text.replaceAll("'", `'\\''`)}'`,
    aggregated_output: output,
    exit_code: exitCode,
    status: exitCode === 0 ? 'completed' : 'failed',
  };
}

/** The end of a turn. */
export const TURN_COMPLETED = {
  type: 'turn.completed',
  usage: {
    input_tokens: 2001,
    cached_input_tokens: 600,
    cache_write_input_tokens: 0,
    output_tokens: 101,
    reasoning_output_tokens: 14,
  },
};

function failed(message: string) {
  return [
    { type: 'error', message },
    { type: 'turn.failed', error: { message } },
  ];
}

const running = (text: string) => ({
  type: 'item.started',
  item: { ...command(text), aggregated_output: '', exit_code: null, status: 'in_progress' },
});

/** How Codex writes what the cases are made of. */
export const codexWords: ProgramWords = {
  kind: 'codex',
  start: [
    { type: 'thread.started', thread_id: '0199-abc' },
    { type: 'turn.started' },
    completed({ id: 'item_0', type: 'error', message: 'Model metadata for `fake-model` not found' }),
  ],
  callOnly: (text) => [running(text)],
  shell: (text, output = '') => [
    running(text),
    completed(command(text, output, /No such file/.test(output) ? 1 : 0)),
  ],
  text: (text) => [completed({ id: 'item_2', type: 'agent_message', text })],
  success: () => [TURN_COMPLETED],
  flagged: failed("We're currently experiencing high demand, which may cause temporary errors."),
  failedTurn: failed('stream disconnected before completion: response.failed event received'),
  failedInside: [{ type: 'turn.failed', error: { message: 'agent loop died' } }],
  retry: (attempt) => [{ type: 'error', message: `Reconnecting... ${attempt}/5 (stream disconnected)` }],
  refusedKey: failed('unexpected status 401 Unauthorized: {"error":{"message":"bad key"}}'),
  refusedRate: failed('exceeded retry limit, last status: 429 Too Many Requests'),
  unknown: { type: 'item.danced', item: { id: 'x' } },
};
