import type { TokenUsage } from '../model/model-use.ts';
import { claudeEnd } from './claude-code-end.ts';
import { type ClaudeBlock, ClaudeEvent, type ClaudeResult } from './claude-code-events.ts';
import { contentText } from './content-text.ts';
import { providerFault } from './provider-fault.ts';
import type { ProgramMachine, ProgramState } from './read-program.ts';
import { loadedSkills } from './skill-listing.ts';
import type { TrajectoryDraft } from './trajectory-draft.ts';

/** The name that Claude Code gives the author of messages which no model wrote. */
const NO_MODEL = '<synthetic>';

/** How a program counts the tokens of its result: not all mean the same by the same members. */
export type CountTokens = (result: ClaudeResult) => TokenUsage | undefined;

/**
 * The state machine over JSON lines as Claude Code writes them; other programs write them too. The end is their `result`
 * event, judged by `is_error`. Retries show as `system/api_retry` and mean nothing once an answer comes.
 */
export function claudeMachine(draft: TrajectoryDraft, countTokens: CountTokens): ProgramMachine {
  let state: ProgramState = { started: false };
  return {
    get state() {
      return state;
    },
    take: (line) => {
      const event = ClaudeEvent.safeParse(line).data;
      if (event === undefined) return false;
      if ('timestamp' in event && typeof event.timestamp === 'string') draft.clock.see(event.timestamp);
      state = { ...state, ...nextState(state, event, countTokens) };
      takeSteps(draft, event);
      return true;
    },
  };
}

function nextState(state: ProgramState, event: ClaudeEvent, countTokens: CountTokens): Partial<ProgramState> {
  if (event.type === 'system') return systemState(event);
  if (event.type === 'assistant') return wroteItself(event) ? {} : { waitingFor: undefined };
  if (event.type === 'user') {
    const said = blocks(event.message.content).map(({ text }) => text ?? '');
    return { loaded: [...(state.loaded ?? []), ...said.flatMap(loadedSkills)] };
  }
  if (event.type !== 'result') return {};
  const model = state.model ?? Object.keys(event.modelUsage ?? {})[0];
  const finalText = event.is_error ? undefined : event.result;
  return { model, finalText, end: claudeEnd(event), usage: countTokens(event) };
}

function takeSteps(draft: TrajectoryDraft, event: ClaudeEvent): void {
  if (event.type === 'assistant' && !wroteItself(event)) {
    for (const block of blocks(event.message.content)) takeAssistant(draft, block, event.timestamp);
  }
  if (event.type === 'user') {
    for (const block of blocks(event.message.content)) takeUser(draft, block, event.timestamp);
  }
}

function wroteItself(event: Extract<ClaudeEvent, { type: 'assistant' }>): boolean {
  return event.message.model === NO_MODEL;
}

function systemState(event: Extract<ClaudeEvent, { type: 'system' }>): Partial<ProgramState> {
  if (event.subtype === 'api_retry') {
    const words = typeof event.error === 'string' ? event.error : 'the provider did not answer';
    const fault = providerFault(words, event.error_status);
    return { waitingFor: fault ?? { reason: 'provider-error', detail: words } };
  }
  if (event.subtype !== 'init') return {};
  return {
    started: true,
    version: event.claude_code_version ?? event.qwen_code_version,
    model: event.model,
    session: event.session_id,
    found: event.skills,
  };
}

function takeAssistant(draft: TrajectoryDraft, block: ClaudeBlock, at: string | undefined): void {
  if (block.type === 'text') draft.assistant(block.text ?? '', at);
  else if (block.type === 'thinking') draft.reasoning(block.thinking ?? '', at);
  else if (block.type === 'tool_use') {
    draft.call({ id: block.id, name: block.name ?? '', input: block.input, at });
  }
}

function takeUser(draft: TrajectoryDraft, block: ClaudeBlock, at: string | undefined): void {
  if (block.type === 'text') draft.user(block.text ?? '', at);
  else if (block.type === 'tool_result') {
    draft.result(block.tool_use_id, {
      text: contentText(block.content),
      failed: block.is_error ?? false,
      at,
    });
  }
}

function blocks(content: string | readonly ClaudeBlock[] | undefined): readonly ClaudeBlock[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content, input: undefined, content: undefined }]
    : (content ?? []);
}
