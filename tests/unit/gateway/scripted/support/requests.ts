import type { ModelRequest, RequestKind } from '../../../../../src/gateway/exchange.ts';
import type { ModelProtocol } from '../../../../../src/model/model-protocol.ts';

/** One round of a conversation: the command that a model ran, and what came back. */
export interface Round {
  readonly back: string;
  /** Said by the harness beside the tool's result. */
  readonly beside?: string;
}

/** What a test wants to be in a request. */
export interface Wish {
  readonly instruction: string;
  /** Text of the harness that lists Skills. */
  readonly listing?: string;
  readonly rounds?: readonly Round[];
  readonly stream?: boolean;
  /** Tools by name with their JSON Schemas; none: no tools. */
  readonly tools?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: object;
  readonly model?: string;
}

const text = { type: 'string' };
const CLAUDE_BASH = {
  type: 'object',
  properties: { command: text, description: text, timeout: { type: 'number' } },
  required: ['command'],
};

/** The tools of the harness that mostly speaks a protocol. */
export const TOOLS: Readonly<Record<ModelProtocol, Readonly<Record<string, object>>>> = {
  'anthropic-messages': {
    Read: { type: 'object', properties: { file_path: text }, required: ['file_path'] },
    Bash: CLAUDE_BASH,
    Skill: { type: 'object', properties: { skill: text, args: text }, required: ['skill'] },
  },
  'openai-responses': {
    exec_command: { type: 'object', properties: { cmd: text, workdir: text }, required: ['cmd'] },
    write_stdin: { type: 'object', properties: { session_id: { type: 'number' } }, required: ['session_id'] },
  },
  'openai-chat': {
    run_shell_command: {
      type: 'object',
      properties: { command: text, description: text, is_background: { type: 'boolean' } },
      required: ['command', 'is_background'],
    },
    skill: { type: 'object', properties: { skill: text }, required: ['skill'] },
  },
  gemini: {
    run_shell_command: {
      type: 'OBJECT',
      properties: { command: { type: 'STRING' }, description: { type: 'STRING' } },
      required: ['command'],
    },
    activate_skill: { type: 'OBJECT', properties: { name: { type: 'STRING' } }, required: ['name'] },
  },
};

/** A request in a protocol, as that protocol's harness builds it. */
export function request(protocol: ModelProtocol, wish: Wish): ModelRequest {
  const model = wish.model ?? 'some-model-1';
  const stream = wish.stream ?? true;
  const body = { ...BODIES[protocol]({ tools: TOOLS[protocol], ...wish }, { model, stream }), ...wish.extra };
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  const path = PATHS[protocol] ?? `/v1beta/models/${model}:${verb}`;
  return exchange({ protocol, path, body, stream, model, headers: wish.headers ?? {} });
}

/** A request with exactly this body. */
export function exchange(
  parts: Pick<ModelRequest, 'protocol' | 'path'> & Partial<ModelRequest> & { kind?: RequestKind },
): ModelRequest {
  return {
    kind: 'generate',
    method: 'POST',
    headers: {},
    bytes: Buffer.from(parts.body === undefined ? '' : JSON.stringify(parts.body)),
    body: undefined,
    model: undefined,
    stream: false,
    ...parts,
  };
}

const PATHS: Partial<Readonly<Record<ModelProtocol, string>>> = {
  'anthropic-messages': '/v1/messages?beta=true',
  'openai-responses': '/v1/responses',
  'openai-chat': '/v1/chat/completions',
};

interface Head {
  readonly model: string;
  readonly stream: boolean;
}

const BODIES: Readonly<Record<ModelProtocol, (wish: Wish, head: Head) => object>> = {
  'anthropic-messages': ({ instruction, listing = '', rounds = [], tools = {} }, head) => ({
    ...head,
    max_tokens: 32000,
    system: [{ type: 'text', text: 'You are an agent.' }],
    messages: [
      { role: 'system', content: [{ type: 'text', text: listing || 'nothing' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>\nbe good\n</system-reminder>' },
          { type: 'text', text: instruction },
        ],
      },
      ...rounds.flatMap(({ back, beside }, index) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: `t${index}`, content: back, is_error: false },
            ...(beside === undefined ? [] : [{ type: 'text', text: beside }]),
          ],
        },
      ]),
    ],
    tools: Object.entries(tools).map(([name, input_schema]) => ({ name, input_schema, description: name })),
  }),
  'openai-responses': ({ instruction, listing = '', rounds = [], tools = {} }, head) => ({
    ...head,
    instructions: 'You are an agent.',
    input: [
      message('developer', listing),
      message('user', '<environment_context>\n<cwd>/ws</cwd>\n</environment_context>'),
      message('user', instruction),
      ...rounds.flatMap(({ back }, index) => [
        { type: 'reasoning', summary: [] },
        { type: 'function_call', call_id: `c${index}`, name: 'exec_command', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${index}`, output: back },
      ]),
    ],
    tools: Object.entries(tools).map(([name, parameters]) => ({
      type: 'function',
      name,
      parameters,
      description: name,
    })),
  }),
  'openai-chat': ({ instruction, listing = '', rounds = [], tools = {} }, head) => ({
    ...head,
    stream_options: head.stream ? { include_usage: true } : undefined,
    messages: [
      { role: 'system', content: `You are an agent.\n${listing}` },
      { role: 'user', content: [{ type: 'text', text: instruction }] },
      ...rounds.flatMap(({ back, beside }, index) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `c${index}`, type: 'function', function: { name: 'x', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: `c${index}`, content: back },
        ...(beside === undefined ? [] : [{ role: 'user', content: beside }]),
      ]),
    ],
    ...(Object.keys(tools).length === 0
      ? {}
      : {
          tools: Object.entries(tools).map(([name, parameters]) => ({
            type: 'function',
            function: { name, parameters },
          })),
        }),
  }),
  gemini: ({ instruction, listing = '', rounds = [], tools = {} }) => ({
    systemInstruction: { parts: [{ text: `You are an agent.\n${listing}` }] },
    contents: [
      { role: 'user', parts: [{ text: '<session_context>\nfiles\n</session_context>' }] },
      { role: 'user', parts: [{ text: instruction }] },
      ...rounds.flatMap(({ back }, index) => [
        { role: 'model', parts: [{ functionCall: { id: `c${index}`, name: 'x', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: `c${index}`, name: 'x', response: { output: back } } }],
        },
      ]),
    ],
    tools:
      Object.keys(tools).length === 0
        ? []
        : [
            {
              functionDeclarations: Object.entries(tools).map(([name, parameters]) => ({ name, parameters })),
            },
          ],
  }),
};

function message(role: string, content: string) {
  return { type: 'message', role, content: [{ type: 'input_text', text: content }] };
}
