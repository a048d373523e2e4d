import { member, textOf } from '../usage/answer-reader.ts';
import { filtered, isFetched, type Removal, replaced, withheld, withMember } from './removal.ts';

/** Members that switch on a search at the provider, as several providers of this protocol name them. */
const SEARCH_MEMBERS = ['web_search_options', 'search_parameters', 'plugins'] as const;

/** Takes out everything among the tools that is no function of the harness, search options, and images and files by URL. */
export const removeChatTools: Removal = (body, tell) => {
  let kept = withMember(body, 'tools', filtered(body.tools, foreignTool, tell));
  if (kept.tools === undefined && body.tools !== undefined) kept = withMember(kept, 'tool_choice', undefined);
  for (const name of SEARCH_MEMBERS) {
    if (kept[name] === undefined) continue;
    tell(name);
    kept = withMember(kept, name, undefined);
  }
  return withMember(
    kept,
    'messages',
    replaced(kept.messages, (part) => urlContent(part, tell)),
  );
};

function foreignTool(tool: unknown): string | undefined {
  const type = textOf(tool, 'type');
  return type === undefined || type === 'function' || type === 'custom' ? undefined : type;
}

function urlContent(part: Readonly<Record<string, unknown>>, tell: (name: string) => void): unknown {
  const type = textOf(part, 'type');
  if (type !== 'image_url' && type !== 'file') return undefined;
  const holder = part[type];
  const url = typeof holder === 'string' ? holder : (member(holder, 'url') ?? member(holder, 'file_data'));
  if (!isFetched(url)) return undefined;
  tell(`${type}:url`);
  return { type: 'text', text: withheld(type) };
}
