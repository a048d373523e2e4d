import type { ModelFault, ModelPace } from '../../model/model-script.ts';
import type { ModelRequest } from '../exchange.ts';
import type { Conversation } from './conversation.ts';
import { makeReply, type Reply, type ReplyCall } from './reply.ts';
import { sampleJson } from './sample-json.ts';
import type { Step } from './step.ts';
import { type ToolCall, toolCall } from './tool-call.ts';

/** Said where a step says nothing: an answer must not be empty. */
const PLAIN_ANSWER = 'Done.';

interface Composition {
  readonly request: ModelRequest;
  readonly talk: Conversation;
  readonly step: Step;
  readonly fault: ModelFault | undefined;
  readonly pace: ModelPace;
}

/** The answer that says and does a step. A request that offers no tools (for a title, say) gets words alone. */
export function composeReply({ request, talk, step, fault, pace }: Composition): Reply {
  const actions = talk.tools.length === 0 ? [] : step.actions;
  const calls = actions.map((action) => toolCall(action, talk)).filter((call) => call !== undefined);
  const ends = calls.length > 0 && actions.some(({ kind }) => kind === 'finish');
  const text = calls.length > 0 ? (ends ? '' : (step.text ?? '')) : inForm(step.text || PLAIN_ANSWER, talk);
  return makeReply(request, {
    text,
    calls: calls.map((call) => written(call, fault?.kind === 'bad-arguments')),
    model: (fault?.kind === 'served-model' ? fault.model : undefined) ?? request.model ?? 'scripted-model',
    turn: talk.results.length,
    pace,
  });
}

/** The text, or a sample of the JSON that the request wants, unless the text is JSON. */
function inForm(text: string, { form }: Conversation): string {
  return form === undefined || isJson(text) ? text : JSON.stringify(sampleJson(form.schema));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function written(call: ToolCall, isSpoilt: boolean): Omit<ReplyCall, 'id'> {
  const isText = typeof call.input === 'string';
  const whole = typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
  if (!isSpoilt) return { ...call, argumentsText: whole, isText };
  const cut = whole.slice(0, Math.ceil(whole.length / 2));
  return { ...call, input: cut, argumentsText: cut, isText };
}
