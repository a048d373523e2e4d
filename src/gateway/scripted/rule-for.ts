import { matchesGlob } from '../../base/glob.ts';
import type { RequestMatch, ScriptRule } from '../../model/model-script.ts';
import type { ModelRequest } from '../exchange.ts';
import type { Conversation } from './conversation.ts';
import { isListed } from './play.ts';

/** The first rule that a request fits. */
export function ruleFor(
  rules: readonly ScriptRule[],
  request: ModelRequest,
  talk: Conversation,
): ScriptRule | undefined {
  return rules.find(({ when }) => fits(when, request, talk));
}

function fits(when: RequestMatch, request: ModelRequest, talk: Conversation): boolean {
  const { instruction, instructionMatches, model, listed, protocol } = when;
  return (
    (instruction === undefined || talk.instruction.includes(instruction)) &&
    (instructionMatches === undefined || new RegExp(instructionMatches, 'u').test(talk.instruction)) &&
    (model === undefined || matchesGlob(model, request.model ?? '')) &&
    (listed === undefined || isListed(listed, talk)) &&
    (protocol === undefined || protocol === request.protocol)
  );
}
