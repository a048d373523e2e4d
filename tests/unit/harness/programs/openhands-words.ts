import type { ProgramWords } from './lying-cases.ts';

const content = (text: string) => [{ type: 'text', text }];

/** A call. */
export function action(name: string, input: object, more: object = {}) {
  return {
    kind: 'ActionEvent',
    id: 'e2',
    timestamp: '2026-11-29T10:00:01.000000',
    source: 'agent',
    thought: [],
    action: { kind: `${name}Action`, ...input },
    tool_name: name,
    tool_call_id: 'call_1',
    tool_call: { id: 'call_1', name, arguments: JSON.stringify(input), origin: 'completion' },
    llm_response_id: 'r1',
    ...more,
  };
}

/** The answer to a call. */
export function observation(name: string, text: string, more: object = {}) {
  return {
    kind: 'ObservationEvent',
    id: 'e3',
    timestamp: '2026-11-29T10:00:02.000000',
    source: 'environment',
    tool_name: name,
    tool_call_id: 'call_1',
    observation: { kind: `${name}Observation`, content: content(text), is_error: false, ...more },
    action_id: 'e2',
  };
}

/** What somebody says. */
export function message(source: string, text: string) {
  return {
    kind: 'MessageEvent',
    id: 'e1',
    timestamp: '2026-11-29T10:00:00.000000',
    source,
    llm_message: { role: source === 'agent' ? 'assistant' : 'user', content: content(text) },
    activated_skills: [],
    extended_content: [],
  };
}

const failed = (code: string, detail: string, kind?: string) => [
  {
    kind: 'ConversationErrorEvent',
    id: 'e9',
    timestamp: '2026-11-29T10:00:09.000000',
    source: 'environment',
    code,
    detail,
    ...(kind === undefined ? {} : { classification: { kind, retryable: false, user_action: 'none' } }),
  },
];

/** How OpenHands writes what the cases are made of. It does not tell of retries. */
export const openHandsWords: ProgramWords = {
  kind: 'openhands',
  start: ['Agent is working', message('user', 'Do it.')],
  callOnly: (command) => [action('terminal', { command })],
  shell: (command, output = '') => [
    action('terminal', { command }),
    observation('terminal', output, { exit_code: /No such file/.test(output) ? 1 : 0, command }),
  ],
  text: () => [],
  success: (finalText) => [
    action('finish', { message: finalText }),
    observation('finish', finalText),
    'Agent finished',
  ],
  flagged: failed('InternalServerError', 'litellm.InternalServerError: server error'),
  failedTurn: failed('LLMServiceUnavailableError', 'upstream is gone', 'transient'),
  failedInside: failed('KeyError', "'x'", 'internal'),
  retry: undefined,
  refusedKey: failed(
    'LLMAuthenticationError',
    'Your LLM API key appears to be invalid or has expired.',
    'auth',
  ),
  refusedRate: failed('LLMRateLimitError', 'slow down', 'rate_limit'),
  unknown: { kind: 'DanceEvent', id: 'x' },
};
