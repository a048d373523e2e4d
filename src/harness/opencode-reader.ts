import { contentText } from './content-text.ts';
import { addedTokens, isNoAnswer, openCodeEnd } from './opencode-end.ts';
import { OpenCodeEvent } from './opencode-events.ts';
import { type ProgramMachine, type ProgramState, programReader } from './read-program.ts';
import type { TrajectoryDraft } from './trajectory-draft.ts';

/**
 * Reads `opencode run --format json`. It writes no end of its own: an answer that ended otherwise than with calls is the
 * end, and a further step takes that back. An error is the end whatever follows.
 */
export const openCodeReader = programReader({
  harness: 'opencode',
  title: 'OpenCode',
  skillTool: { tool: 'skill', member: 'name' },
  start: (draft) => openCodeMachine(draft),
});

function openCodeMachine(draft: TrajectoryDraft): ProgramMachine {
  let state: ProgramState = { started: false };
  return {
    get state() {
      return state;
    },
    take: (line) => {
      const event = OpenCodeEvent.safeParse(line).data;
      if (event === undefined) return false;
      const at = event.timestamp === undefined ? undefined : new Date(event.timestamp).toISOString();
      draft.clock.see(at);
      const session = event.sessionID ?? state.session;
      state = { ...state, started: true, session, ...nextState(state, event) };
      takeStep(draft, event, at);
      return true;
    },
  };
}

function nextState(state: ProgramState, event: OpenCodeEvent): Partial<ProgramState> {
  const hasFailed = state.end !== undefined && state.end.kind !== 'completed';
  if (event.type === 'error') return { end: openCodeEnd(event.error ?? {}) };
  if (event.type === 'step_finish') {
    const { reason, tokens } = event.part;
    const usage = addedTokens(state.usage, tokens);
    if (isNoAnswer(reason)) {
      const waitingFor = { reason: 'provider-error', detail: `an answer ended as ${reason}` } as const;
      return { usage, waitingFor };
    }
    const isEnd = reason !== 'tool-calls' && !hasFailed;
    return { usage, waitingFor: undefined, ...(isEnd ? { end: { kind: 'completed' } } : {}) };
  }
  if (event.type === 'step_start') return hasFailed ? {} : { end: undefined };
  return { waitingFor: undefined };
}

function takeStep(draft: TrajectoryDraft, event: OpenCodeEvent, at: string | undefined): void {
  if (event.type === 'text') draft.assistant(event.part.text, at);
  else if (event.type === 'reasoning') draft.reasoning(event.part.text, at);
  else if (event.type === 'tool_use') {
    const { tool, callID, state } = event.part;
    draft.call({ id: callID, name: tool, input: state.input, at });
    if (state.status !== 'completed' && state.status !== 'error') return;
    const exit = state.metadata?.exit ?? 0;
    const text = contentText(state.output ?? state.error);
    draft.result(callID, { text, failed: state.status === 'error' || exit !== 0, at });
  }
}
