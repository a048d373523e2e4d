import { contentText } from './content-text.ts';
import { geminiEnd, geminiEndWithout, geminiUsage } from './gemini-cli-end.ts';
import { GeminiEvent } from './gemini-cli-events.ts';
import { providerFault } from './provider-fault.ts';
import { type ProgramMachine, type ProgramState, programReader } from './read-program.ts';
import type { TrajectoryDraft } from './trajectory-draft.ts';

/**
 * Reads `gemini --output-format stream-json`. The end is its `result` event, judged by `status`: the exit code is 0 after
 * an empty answer too. The answer is what the assistant said last, put together from its pieces.
 */
export const geminiCliReader = programReader({
  harness: 'gemini-cli',
  title: 'Gemini CLI',
  skillTool: { tool: 'activate_skill', member: 'name' },
  start: (draft, { agent }) => geminiMachine(draft, agent.exitCode),
});

function geminiMachine(draft: TrajectoryDraft, exitCode: number | null): ProgramMachine {
  let state: ProgramState = { started: false };
  const take = (event: GeminiEvent) => {
    if (event.type === 'init') {
      state = { ...state, started: true, model: event.model, session: event.session_id };
    } else if (event.type === 'result') {
      state = { ...state, end: geminiEnd(event, exitCode), usage: geminiUsage(event) };
    } else {
      state = { ...state, waitingFor: event.type === 'error' ? providerFault(event.message) : undefined };
      takeStep(draft, event);
    }
  };
  return {
    get state() {
      return state;
    },
    take: (line) => {
      const event = GeminiEvent.safeParse(line).data;
      draft.clock.see(event?.timestamp);
      if (event !== undefined) take(event);
      return event !== undefined;
    },
    endWithout: geminiEndWithout,
  };
}

function takeStep(draft: TrajectoryDraft, event: GeminiEvent): void {
  const at = event.timestamp;
  if (event.type === 'message') {
    if (event.role === 'assistant') draft.assistantPiece(event.content, at);
    else draft.user(event.content, at);
  } else if (event.type === 'tool_use') {
    draft.call({ id: event.tool_id, name: event.tool_name, input: event.parameters, at });
  } else if (event.type === 'tool_result') {
    const text = contentText(event.output ?? event.error?.message);
    draft.result(event.tool_id, { text, failed: event.status === 'error', at });
  }
}
