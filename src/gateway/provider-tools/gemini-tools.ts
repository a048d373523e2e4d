import { asObject, member } from '../usage/answer-reader.ts';
import { isFetched, type Removal, replaced, withheld, withMember } from './removal.ts';

/** By lower-case name without underscores, since the API takes both ways of writing. */
const PROVIDER_TOOLS = new Set([
  'googlesearch',
  'googlesearchretrieval',
  'enterprisewebsearch',
  'googlemaps',
  'urlcontext',
  'codeexecution',
  'retrieval',
  'filesearch',
  'mcpservers',
]);

/** Takes out tools of the provider, entry by entry, and files by URI. */
export const removeGeminiTools: Removal = (body, tell) => {
  let kept = withMember(body, 'tools', keptTools(body.tools, tell));
  if (kept.tools === undefined && body.tools !== undefined) {
    kept = withMember(withMember(kept, 'toolConfig', undefined), 'tool_config', undefined);
  }
  for (const name of ['contents', 'systemInstruction', 'system_instruction']) {
    kept = withMember(
      kept,
      name,
      replaced(kept[name], (part) => fileByUri(part, tell)),
    );
  }
  return kept;
};

/** One entry may hold functions of the harness and tools of the provider side by side. */
function keptTools(tools: unknown, tell: (name: string) => void): unknown {
  if (!Array.isArray(tools)) return tools;
  const kept = tools.map((tool) => keptEntry(tool, tell)).filter((tool) => tool !== undefined);
  if (kept.length === tools.length && kept.every((tool, place) => tool === tools[place])) return tools;
  return kept.length === 0 ? undefined : kept;
}

function keptEntry(tool: unknown, tell: (name: string) => void): unknown {
  const entry = asObject(tool);
  if (entry === undefined) return tool;
  let kept = entry;
  for (const name of Object.keys(entry)) {
    if (!PROVIDER_TOOLS.has(name.replaceAll('_', '').toLowerCase())) continue;
    tell(name);
    kept = withMember(kept, name, undefined);
  }
  return kept !== entry && Object.keys(kept).length === 0 ? undefined : kept;
}

function fileByUri(part: Readonly<Record<string, unknown>>, tell: (name: string) => void): unknown {
  const file = part.fileData ?? part.file_data;
  const uri = member(file, 'fileUri') ?? member(file, 'file_uri');
  if (!isFetched(uri)) return undefined;
  tell('fileData:uri');
  return { text: withheld('file') };
}
