import type { ProgramWords } from './lying-cases.ts';

/** 29 November 2026, 10:00 in UTC. */
const timed = { timestamp: 1_795_946_400_000, sessionID: 'ses_1' };

/** An answer of the model begins. */
export const STEP = { type: 'step_start', ...timed, part: { type: 'step-start' } };

/** An answer of the model is over; what came from the cache is no part of its input. */
export function finish(
  reason: string,
  tokens: object = { input: 700, output: 50, reasoning: 7, cache: { read: 300, write: 0 } },
) {
  return { type: 'step_finish', ...timed, part: { type: 'step-finish', reason, tokens, cost: 0 } };
}

/** A call with its answer. */
export function tool(name: string, state: object) {
  return { type: 'tool_use', ...timed, part: { type: 'tool', tool: name, callID: 'call_1', state } };
}

/** What the assistant says. */
export function said(text: string) {
  return { type: 'text', ...timed, part: { type: 'text', text } };
}

/** Why the work stopped. */
export function failure(name: string, data?: object) {
  return { type: 'error', ...timed, error: { name, data } };
}

/** How OpenCode writes what the cases are made of. It tells of no retries, and of a call only with its answer. */
export const openCodeWords: ProgramWords = {
  kind: 'opencode',
  start: [STEP],
  callOnly: (command) => [tool('bash', { status: 'running', input: { command } })],
  shell: (command, output = '') => [
    tool('bash', { status: 'completed', input: { command }, output, metadata: { exit: 0 } }),
    finish('tool-calls'),
    STEP,
  ],
  text: (text) => [said(text)],
  success: () => [finish('stop')],
  flagged: [failure('UnknownError'), finish('stop')],
  failedTurn: [failure('APIError', { message: 'scripted fault', statusCode: 500 })],
  failedInside: [failure('UnknownError', { message: 'a hook broke' })],
  retry: undefined,
  refusedKey: [failure('APIError', { message: 'scripted fault', statusCode: 401 })],
  refusedRate: [failure('APIError', { message: 'scripted fault', statusCode: 429 })],
  unknown: { type: 'dance' },
};
