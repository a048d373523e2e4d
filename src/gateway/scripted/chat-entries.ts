import { type Entry, said } from './entry.ts';
import { contentTexts, items, members } from './loose-json.ts';

/** The messages of a Chat Completions request. */
export function chatEntries(body: unknown): readonly Entry[] {
  return items(members(body).messages).map((message) => {
    const { role, content, tool_calls: calls } = members(message);
    const texts = contentTexts(content);
    if (role === 'tool' || role === 'function')
      return { from: 'user', texts: [], calls: 0, results: [texts.join('\n')] };
    if (role === 'assistant') return { from: 'agent', texts, calls: items(calls).length, results: [] };
    return said(role === 'user' ? 'user' : 'system', texts);
  });
}
