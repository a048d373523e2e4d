import type { ModelProtocol } from '../../model/model-protocol.ts';
import { beforeWork, entriesOf, instructionIn } from './instruction.ts';
import { offeredTools } from './offered-tool.ts';
import { type Listing, listingsIn } from './skill-listings.ts';

/** A Skill as a request lists it to the model. */
export type ListedSkill = Listing;

/**
 * The Skills that a request's body lists to the model: in system texts, in what the harness says before the instruction, or
 * in a tool's description. The instruction itself lists none, whatever it says.
 */
export function listedSkills(body: unknown, protocol: ModelProtocol): readonly ListedSkill[] {
  const before = beforeWork(entriesOf(body, protocol));
  const instruction = instructionIn(before);
  const said = before.filter(({ from }) => from !== 'agent').flatMap(({ texts }) => texts);
  const tools = offeredTools(body, protocol).map(({ description }) => description);
  const found = new Map<string, ListedSkill>();
  for (const text of [...said.filter((text) => text !== instruction.whole), ...tools]) {
    for (const skill of listingsIn(text)) {
      const known = found.get(skill.name);
      // Of the same Skill in two listings, the later one adds what the first does not say.
      found.set(skill.name, known === undefined ? skill : { ...skill, ...known });
    }
  }
  return [...found.values()];
}
