import type { Conversation } from './conversation.ts';
import { members } from './loose-json.ts';
import { Misfit } from './misfit.ts';
import type { OfferedTool } from './offered-tool.ts';
import { sampleJson } from './sample-json.ts';
import { type Action, WAITING_TOOL } from './step.ts';
import { quoted } from './work-command.ts';

/** A call of a tool that the request offers, or that the script names. */
export interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  /** A text for tools that take no JSON. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** The call that does an action by the tools of this request; undefined where the plain end of the answer does it. */
export function toolCall(action: Action, talk: Conversation): ToolCall | undefined {
  switch (action.kind) {
    case 'shell':
      return shellCall(action.command, talk.tools);
    case 'open':
      return openCall(action.skill, talk);
    case 'tool': {
      const tool = talk.tools.find(({ name }) => name === action.name);
      return { ...(tool === undefined ? {} : grouped(tool)), name: action.name, input: action.input };
    }
    case 'wait': {
      const tool = findTool([WAITING_TOOL], talk.tools);
      const input = { session_id: action.session, chars: '', yield_time_ms: LONGEST_LOOK_MS };
      return tool === undefined ? undefined : filled(tool, input);
    }
    case 'finish': {
      const tool = findTool(['finish'], talk.tools);
      return tool === undefined ? undefined : filled(tool, { message: action.message });
    }
  }
}

/** Names of tools that run a command, as harnesses call them; the first that is offered is taken. */
const SHELL_NAMES = [
  'bash',
  'exec_command',
  'run_shell_command',
  'terminal',
  'execute_bash',
  'shell',
  'shell_command',
  'local_shell',
  'run_command',
  'execute_command',
  'run_terminal_cmd',
];
const COMMAND_KEYS = ['command', 'cmd', 'script', 'commands'];
/** How long a command of a script may run; harnesses stop waiting much earlier unless told so. */
const PATIENCE_MS = 600_000;
/** How long one look at a running command may take in Codex. */
const LONGEST_LOOK_MS = 30_000;
/** By tool, in the unit that it takes. */
const LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  bash: { timeout: PATIENCE_MS },
  exec_command: { yield_time_ms: LONGEST_LOOK_MS },
  terminal: { timeout: PATIENCE_MS / 1000 },
  execute_bash: { timeout: PATIENCE_MS / 1000 },
};
const SKILL_NAMES = ['skill', 'activate_skill', 'invoke_skill', 'use_skill', 'load_skill', 'read_skill'];
const SKILL_KEYS = ['skill', 'name', 'skill_name', 'skillName'];

function shellCall(command: string, tools: readonly OfferedTool[]): ToolCall {
  const tool = findTool(SHELL_NAMES, tools.filter(takesCommand)) ?? tools.find(takesCommand);
  if (tool !== undefined) {
    const key = firstKey(COMMAND_KEYS, tool) ?? 'command';
    const isList = members(members(tool.schema?.properties)[key]).type === 'array';
    const limit = LIMITS[tool.name.toLowerCase()] ?? {};
    return filled(tool, { [key]: isList ? ['bash', '-lc', command] : command, ...limit });
  }
  const code = tools.find(({ name, schema }) => name === 'exec' && schema === undefined);
  if (code !== undefined) return { ...grouped(code), name: code.name, input: inCode(command) };
  throw new Misfit(`the turn runs a command, and no tool for commands is offered (${offered(tools)})`);
}

/** Code mode: a tool that takes JavaScript, in which the other tools are functions. */
function inCode(command: string): string {
  return [
    `// @exec: {"yield_time_ms": ${PATIENCE_MS}}`,
    `let result = await tools.exec_command({ cmd: ${JSON.stringify(command)}, yield_time_ms: ${LONGEST_LOOK_MS} });`,
    'let output = result.output;',
    'while (typeof result.session_id === "number") {',
    `  result = await tools.write_stdin({ session_id: result.session_id, yield_time_ms: ${LONGEST_LOOK_MS} });`,
    '  output += result.output;',
    '}',
    'text(output);',
  ].join('\n');
}

function takesCommand(tool: OfferedTool): boolean {
  return firstKey(COMMAND_KEYS, tool) !== undefined;
}

function openCall(skill: string, { tools, listed }: Conversation): ToolCall {
  const tool = findTool(SKILL_NAMES, tools);
  const key = tool === undefined ? undefined : firstKey(SKILL_KEYS, tool);
  if (tool !== undefined && key !== undefined) return filled(tool, { [key]: skill });
  const path = listed.find(({ name, otherName }) => name === skill || otherName === skill)?.path;
  if (path !== undefined) return shellCall(`cat ${quoted(path)}`, tools);
  const names = listed.map(({ name }) => name).join(', ') || 'none';
  throw new Misfit(
    `the turn opens "${skill}", which this request does not list with its file (listed: ${names}); put the turn under "ifListed: ${skill}"`,
  );
}

function findTool(names: readonly string[], tools: readonly OfferedTool[]): OfferedTool | undefined {
  return names
    .map((name) => tools.find((tool) => tool.name.toLowerCase() === name && tool.schema !== undefined))
    .find((tool) => tool !== undefined);
}

function firstKey(keys: readonly string[], tool: OfferedTool): string | undefined {
  const properties = members(tool.schema?.properties);
  return keys.find((key) => properties[key] !== undefined);
}

/** Texts that say what a call is for, where a tool wants that. */
const REMARKS: Readonly<Record<string, string>> = {
  description: 'Do the next step of the script',
  summary: 'Do the next step of the script',
  reason: 'The script says so',
};

/** A call with what the tool's schema requires besides: remarks in words, all else the smallest value that fits. */
function filled(tool: OfferedTool, input: Readonly<Record<string, unknown>>): ToolCall {
  const schema = tool.schema ?? {};
  const required = members(sampleJson(schema));
  const properties = members(schema.properties);
  const remarks = Object.entries(REMARKS).filter(([key]) => properties[key] !== undefined);
  return {
    ...grouped(tool),
    name: tool.name,
    input: { ...required, ...Object.fromEntries(remarks), ...wanted(input, properties) },
  };
}

/** A tool may have no place for what is only an addition. */
function wanted(
  input: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => properties[key] !== undefined));
}

function grouped({ namespace }: OfferedTool): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

function offered(tools: readonly OfferedTool[]): string {
  return tools.length === 0
    ? 'none is offered at all'
    : `offered: ${tools.map(({ name }) => name).join(', ')}`;
}
