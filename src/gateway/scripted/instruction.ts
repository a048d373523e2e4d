import type { ModelProtocol } from '../../model/model-protocol.ts';
import { anthropicEntries } from './anthropic-entries.ts';
import { chatEntries } from './chat-entries.ts';
import type { Entry } from './entry.ts';
import { geminiEntries } from './gemini-entries.ts';
import { responsesEntries } from './responses-entries.ts';

const READERS: Readonly<Record<ModelProtocol, (body: unknown) => readonly Entry[]>> = {
  'anthropic-messages': anthropicEntries,
  'openai-responses': responsesEntries,
  'openai-chat': chatEntries,
  gemini: geminiEntries,
};

/** The messages of a request's body, in order. */
export function entriesOf(body: unknown, protocol: ModelProtocol): readonly Entry[] {
  return READERS[protocol](body);
}

/** The messages before the model first called a tool. */
export function beforeWork(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findIndex(({ calls, results }) => calls > 0 || results.length > 0);
  return first === -1 ? entries : entries.slice(0, first);
}

/** What the user asked for. */
export interface InstructionText {
  /** As it stands in its message. */
  readonly whole: string;
  /** Without what the harness put into the same text. */
  readonly text: string;
}

/**
 * The instruction among the messages before the work: the last text of a user that is not wholly the harness's own, which
 * all harnesses put into tags such as `<environment_context>` or `<system-reminder>`.
 */
export function instructionIn(before: readonly Entry[]): InstructionText {
  const said = before.filter(({ from }) => from === 'user').flatMap(({ texts }) => texts);
  const whole = said.findLast((text) => !isContext(text) && withoutContext(text) !== '') ?? said.at(-1) ?? '';
  return { whole, text: unquoted(withoutContext(whole) || whole) };
}

function isContext(text: string): boolean {
  const [, tag] = /^\s*<([\w-]+)[^>]*>/.exec(text) ?? [];
  return tag !== undefined && text.trimEnd().endsWith(`</${tag}>`);
}

function withoutContext(text: string): string {
  return text
    .replace(/<(system-reminder|environment_context|session_context|EXTRA_INFO)>[\s\S]*?<\/\1>/g, '')
    .trim();
}

/** OpenCode puts an instruction that it got as an argument into quotes. */
function unquoted(text: string): string {
  return /^"([\s\S]*)"$/.exec(text)?.[1] ?? text;
}
