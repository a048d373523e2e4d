import type { TokenUsage } from '../model/model-use.ts';
import { CODEX_TOOLS, CodexEvent, type CodexItem, CodexSessionLine } from './codex-events.ts';
import { contentText } from './content-text.ts';
import { readJsonEvents } from './json-events.ts';
import { isContextOverflow, providerFault } from './provider-fault.ts';
import type { StreamEnd } from './read-ending.ts';
import { type ProgramMachine, type ProgramState, programReader } from './read-program.ts';
import { sessionFiles } from './session-files.ts';
import type { ToolCall, TrajectoryDraft } from './trajectory-draft.ts';

/**
 * Reads `codex exec --json`. The end is `turn.completed` or `turn.failed`; `error` events are notes on the way there
 * (one for each "Reconnecting..."), and so are `error` items. Codex has no tool that opens a Skill: the model reads the file.
 */
export const codexReader = programReader({
  harness: 'codex',
  title: 'Codex CLI',
  start: (draft) => codexMachine(draft),
});

function codexMachine(draft: TrajectoryDraft): ProgramMachine {
  let state: ProgramState = { started: false };
  const open = new Set<string>();
  const take = (event: CodexEvent) => {
    state = { ...state, ...nextState(state, event) };
    if (event.type === 'item.started' || event.type === 'item.completed') {
      takeItem(draft, event.item, { open, ended: event.type === 'item.completed' });
    }
  };
  return {
    get state() {
      return state;
    },
    take: (line) => {
      const event = CodexEvent.safeParse(line).data;
      if (event !== undefined) take(event);
      return event !== undefined;
    },
    readSession: async (dir) => {
      state = { ...state, ...(await sessionState(dir, draft)) };
    },
  };
}

function nextState(state: ProgramState, event: CodexEvent): Partial<ProgramState> {
  switch (event.type) {
    case 'thread.started':
      return { started: true, session: event.thread_id };
    case 'turn.started':
      return { started: true, end: undefined };
    case 'turn.completed':
      return { end: { kind: 'completed' }, waitingFor: undefined, usage: addUsage(state.usage, event.usage) };
    case 'turn.failed':
      return { end: failedEnd(event.error?.message ?? state.waitingFor?.detail ?? '') };
    case 'error':
      return {
        waitingFor: providerFault(event.message) ?? {
          reason: 'provider-error',
          detail: event.message.slice(0, 300),
        },
      };
    default:
      return event.item.type === 'error' ? {} : { waitingFor: undefined };
  }
}

function failedEnd(message: string): StreamEnd {
  const detail = message.slice(0, 300) || 'the turn failed and no reason is given';
  if (isContextOverflow(detail)) return { kind: 'gave-up', detail };
  return { kind: 'fault', fault: providerFault(message) ?? { reason: 'harness-protocol', detail } };
}

type TurnUsage = Extract<CodexEvent, { type: 'turn.completed' }>['usage'];

/** Sums turns. Cached tokens are a part of the input and reasoning one of the output, as in the provider's own counts. */
function addUsage(before: TokenUsage | undefined, turn: TurnUsage): TokenUsage | undefined {
  if (turn === null || turn === undefined) return before;
  const counts = {
    input: turn.input_tokens,
    cachedInput: turn.cached_input_tokens,
    cacheWrite: turn.cache_write_input_tokens,
    output: turn.output_tokens,
    reasoning: turn.reasoning_output_tokens,
  };
  const said = Object.entries(counts).filter(([, value]) => value !== undefined);
  const sums = said.map(([key, value]) => [key, (before?.[key as keyof TokenUsage] ?? 0) + (value ?? 0)]);
  return { ...before, ...Object.fromEntries(sums) };
}

interface ItemMoment {
  /** Ids of calls whose answer has not come. */
  readonly open: Set<string>;
  readonly ended: boolean;
}

function takeItem(draft: TrajectoryDraft, item: CodexItem, moment: ItemMoment): void {
  if (isTool(item)) takeTool(draft, item, moment);
  else if (moment.ended && item.type === 'agent_message') draft.assistant(item.text ?? '');
  else if (moment.ended && item.type === 'reasoning') draft.reasoning(item.text ?? '');
}

function takeTool(draft: TrajectoryDraft, item: CodexItem, { open, ended }: ItemMoment): void {
  const id = item.id ?? '';
  if (!open.has(id)) draft.call(callOf(item));
  open.add(id);
  if (!ended) return;
  draft.result(item.id, { text: resultText(item), failed: hasFailed(item) });
  open.delete(id);
}

function isTool({ type }: CodexItem): boolean {
  return (CODEX_TOOLS as readonly string[]).includes(type);
}

function callOf(item: CodexItem): ToolCall {
  const { id, type, command, changes, query } = item;
  if (type === 'command_execution') return { id, name: type, input: { command } };
  if (type === 'file_change') return { id, name: type, input: { changes } };
  if (type === 'web_search') return { id, name: type, input: { query } };
  return { id, name: [item.server, item.tool].filter(Boolean).join('.'), input: item.arguments };
}

function resultText(item: CodexItem): string {
  return item.aggregated_output ?? contentText(item.result ?? item.error);
}

function hasFailed({ status, exit_code }: CodexItem): boolean {
  return status === 'failed' || (exit_code ?? 0) !== 0;
}

/** Version, model and times from the session file. */
async function sessionState(dir: string, draft: TrajectoryDraft): Promise<Partial<ProgramState>> {
  const found: { version?: string; model?: string } = {};
  for (const path of await sessionFiles(dir, /^rollout-.*\.jsonl$/)) {
    await readJsonEvents(path, {
      take: (value) => {
        const line = CodexSessionLine.safeParse(value).data;
        draft.clock.see(line?.timestamp);
        const { cli_version: version, model } = line?.payload ?? {};
        if (version !== undefined) found.version ??= version;
        if (model !== undefined) found.model ??= model;
        return line !== undefined;
      },
    });
  }
  return found;
}
