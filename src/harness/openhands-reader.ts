import { readFile } from 'node:fs/promises';
import { contentText } from './content-text.ts';
import { parseJson } from './json-events.ts';
import { openHandsEnd, openHandsRunEnd, openHandsTokens, openHandsUsage } from './openhands-end.ts';
import { OpenHandsEvent, OpenHandsState, OpenHandsStats } from './openhands-events.ts';
import { type ProgramMachine, type ProgramState, programReader } from './read-program.ts';
import { sessionFiles } from './session-files.ts';
import type { TrajectoryDraft } from './trajectory-draft.ts';

/**
 * Reads the events of an OpenHands conversation. Our bundle closes them with `RunEnded`. The CLI does not: there a call of
 * `finish`, or a message of the agent without a call, is the end, and anything that follows takes that back. An error of the
 * conversation is the end whatever follows. Between the events the CLI prints lines for people.
 */
export const openHandsReader = programReader({
  harness: 'openhands',
  title: 'OpenHands',
  skillTool: { tool: 'invoke_skill', member: 'name' },
  keepsFolder: true,
  start: (draft) => openHandsMachine(draft),
});

function openHandsMachine(draft: TrajectoryDraft): ProgramMachine {
  let state: ProgramState = { started: false };
  let [closes, closed] = [false, false];
  return {
    get state() {
      const answerOnly = closes && !closed && state.end?.kind === 'completed';
      return answerOnly ? { ...state, end: undefined } : state;
    },
    take: (line) => {
      const event = OpenHandsEvent.safeParse(line).data;
      if (event === undefined) return false;
      draft.clock.see(event.timestamp);
      closes ||= event.kind === 'RunStarted';
      closed ||= event.kind === 'RunEnded';
      state = { ...state, started: true, ...nextState(state, event), ...loaded(state, event) };
      takeStep(draft, event);
      return true;
    },
    isNoise: (line) => !line.startsWith('{'),
    readSession: async (dir) => {
      const kept = await sessionState(dir);
      const told = Object.entries(state).filter(([, value]) => value !== undefined);
      state = { started: state.started, ...kept, ...Object.fromEntries(told) };
    },
  };
}

function nextState(state: ProgramState, event: OpenHandsEvent): Partial<ProgramState> {
  if (event.kind === 'ConversationErrorEvent') return { end: openHandsEnd(event) };
  if (event.kind === 'ConversationStateUpdateEvent') return updated(event.key, event.value);
  if (event.kind === 'RunStarted') return { version: event.version, model: event.model };
  const failed = state.end !== undefined && state.end.kind !== 'completed';
  if (event.kind !== 'RunEnded') return failed ? {} : answered(event);
  const usage = event.usage ? openHandsTokens(event.usage) : undefined;
  return {
    ...(failed ? {} : { end: openHandsRunEnd(event.status, event.error) }),
    usage: usage ?? state.usage,
  };
}

/** Skills whose trigger was in a message: their bodies went with it. */
function loaded(state: ProgramState, event: OpenHandsEvent): Partial<ProgramState> {
  if (event.kind !== 'MessageEvent') return {};
  return { loaded: [...(state.loaded ?? []), ...(event.activated_skills ?? [])] };
}

/** Whether this is, for now, the agent's answer. */
function answered(event: OpenHandsEvent): Partial<ProgramState> {
  if (event.kind === 'MessageEvent') {
    return { end: event.source === 'agent' ? { kind: 'completed' } : undefined, finalText: undefined };
  }
  if (event.kind !== 'ActionEvent') return {};
  if (event.tool_name !== 'finish') return { end: undefined, finalText: undefined };
  return { end: { kind: 'completed' }, finalText: event.action?.message ?? '' };
}

function updated(key: string, value: unknown): Partial<ProgramState> {
  if (key === 'execution_status' && value === 'stuck') {
    return { end: openHandsRunEnd('stuck', undefined) };
  }
  const stats = key === 'stats' ? OpenHandsStats.safeParse(value).data : undefined;
  return stats === undefined ? {} : statsState(stats);
}

function statsState(stats: OpenHandsStats): Partial<ProgramState> {
  const usage = openHandsUsage(stats);
  const model = Object.values(stats.usage_to_metrics)[0]?.model_name;
  return { ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }) };
}

function takeStep(draft: TrajectoryDraft, event: OpenHandsEvent): void {
  const at = event.timestamp;
  switch (event.kind) {
    case 'MessageEvent': {
      const text = contentText(event.llm_message.content);
      if (event.source === 'agent') draft.assistant(text, at);
      else draft.user(text, at);
      return;
    }
    case 'ActionEvent':
      takeAction(draft, event);
      return;
    case 'ObservationEvent': {
      const { content, is_error, exit_code } = event.observation;
      const failed = is_error === true || ![0, -1, undefined, null].includes(exit_code);
      draft.result(event.tool_call_id, { text: contentText(content), failed, at });
      return;
    }
    case 'UserRejectObservation':
      draft.result(event.tool_call_id, { text: event.rejection_reason ?? '', failed: true, at });
      return;
    case 'AgentErrorEvent':
      draft.result(event.tool_call_id, { text: event.error, failed: true, at });
      return;
    default:
      return;
  }
}

/** The call that ends a conversation is its answer and no use of a tool, and the one that only thinks is a thought. */
function takeAction(draft: TrajectoryDraft, event: Extract<OpenHandsEvent, { kind: 'ActionEvent' }>): void {
  const { timestamp: at, tool_name: name } = event;
  const thought = contentText(event.thought);
  if (event.reasoning_content) draft.reasoning(event.reasoning_content, at);
  if (thought !== '') draft.assistant(thought, at);
  if (name === 'finish') draft.assistant(event.action?.message ?? '', at);
  else if (name === 'think') draft.reasoning(event.action?.thought ?? '', at);
  else draft.call({ id: event.tool_call_id, name, input: inputOf(event), at });
}

/** What ran, without the marks of its class; the model's own words where nothing could run. */
function inputOf({ action, tool_call }: Extract<OpenHandsEvent, { kind: 'ActionEvent' }>): unknown {
  if (action === null || action === undefined) {
    const words = tool_call?.arguments;
    return typeof words === 'string' ? (parseJson(words) ?? words) : words;
  }
  const { kind, ...input } = action;
  return input;
}

/** Tokens and model from the conversation's state on disk, where the stream does not carry them. */
async function sessionState(dir: string): Promise<Partial<ProgramState>> {
  const [path] = await sessionFiles(dir, /^base_state\.json$/);
  if (path === undefined) return {};
  const state = OpenHandsState.safeParse(parseJson(await readFile(path, 'utf8'))).data;
  return {
    ...(state?.id === undefined ? {} : { session: state.id }),
    ...(state?.stats ? statsState(state.stats) : {}),
    ...updated('execution_status', state?.execution_status),
  };
}
