import { type Entry, said } from './entry.ts';
import { contentTexts, items, members } from './loose-json.ts';

/** The messages of an Anthropic Messages request, system prompt first. */
export function anthropicEntries(body: unknown): readonly Entry[] {
  const { system, messages } = members(body);
  return [said('system', contentTexts(system)), ...items(messages).map(entry)];
}

function entry(message: unknown): Entry {
  const { role, content } = members(message);
  const blocks = items(content).map(members);
  return {
    from: role === 'assistant' ? 'agent' : role === 'system' ? 'system' : 'user',
    texts:
      typeof content === 'string' ? [content] : contentTexts(blocks.filter(({ type }) => type === 'text')),
    calls: blocks.filter(({ type }) => type === 'tool_use').length,
    results: blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block) => contentTexts(block.content).join('\n')),
  };
}
