import { type Entry, said } from './entry.ts';
import { contentTexts, items, members, textOf } from './loose-json.ts';

/** The input items of an OpenAI Responses request, its instructions first. */
export function responsesEntries(body: unknown): readonly Entry[] {
  const { instructions, input } = members(body);
  const before = said('system', contentTexts(instructions));
  return typeof input === 'string'
    ? [before, said('user', [input])]
    : [before, ...items(input).flatMap(entry)];
}

function entry(item: unknown): readonly Entry[] {
  const { type, role, content, output } = members(item);
  const kind = textOf(type) ?? 'message';
  if (kind.endsWith('_call_output')) {
    return [{ from: 'user', texts: [], calls: 0, results: [contentTexts(output).join('\n')] }];
  }
  if (kind.endsWith('_call')) return [{ from: 'agent', texts: [], calls: 1, results: [] }];
  if (kind !== 'message') return [];
  const texts = contentTexts(content);
  return [said(role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'system', texts)];
}
