import { type Entry, said } from './entry.ts';
import { allTexts, contentTexts, items, members } from './loose-json.ts';

/** The contents of a Gemini request, system instruction first. */
export function geminiEntries(body: unknown): readonly Entry[] {
  const { systemInstruction, system_instruction: other, contents } = members(body);
  const system = systemInstruction ?? other;
  const before = typeof system === 'string' ? [system] : contentTexts(members(system).parts);
  const talk = typeof contents === 'string' ? [said('user', [contents])] : items(contents).map(entry);
  return [said('system', before), ...talk];
}

function entry(content: unknown): Entry {
  const { role, parts } = members(content);
  const all = items(parts).map(members);
  return {
    from: role === 'model' ? 'agent' : 'user',
    texts: contentTexts(all),
    calls: all.filter(({ functionCall }) => functionCall !== undefined).length,
    results: all.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [allTexts(members(functionResponse).response).join('\n')],
    ),
  };
}
