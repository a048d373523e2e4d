import type { ModelRequest } from '../exchange.ts';
import { type AskedForm, askedForm } from './asked-form.ts';
import type { Entry } from './entry.ts';
import { beforeWork, entriesOf, instructionIn } from './instruction.ts';
import { type ListedSkill, listedSkills } from './listed-skills.ts';
import { type OfferedTool, offeredTools } from './offered-tool.ts';

/** What a request for an answer says, whatever its protocol. */
export interface Conversation {
  readonly instruction: string;
  readonly listed: readonly ListedSkill[];
  readonly tools: readonly OfferedTool[];
  /** What came back of each turn with tool calls, in order: tool results, and what the harness said beside them. */
  readonly results: readonly string[];
  /** JSON instead of text, where the request asks for that. */
  readonly form: AskedForm | undefined;
}

/** Reads a request. Unknown parts are passed over, so that a newer harness is still understood in what stayed the same. */
export function readConversation({ body, protocol }: ModelRequest): Conversation {
  const entries = entriesOf(body, protocol);
  return {
    instruction: instructionIn(beforeWork(entries)).text,
    listed: listedSkills(body, protocol),
    tools: offeredTools(body, protocol),
    results: resultTurns(entries),
    form: askedForm(body, protocol),
  };
}

/** Parallel calls come back in one message or in several: what stands between two messages of the model is one turn. */
function resultTurns(entries: readonly Entry[]): readonly string[] {
  const turns: string[] = [];
  let isOpen = false;
  for (const { from, results, texts } of entries) {
    if (from === 'agent') isOpen = false;
    else if (isOpen) turns.push([turns.pop() ?? '', ...results, ...texts].join('\n'));
    else if (results.length > 0) {
      isOpen = true;
      turns.push([...results, ...texts].join('\n'));
    }
  }
  return turns;
}
