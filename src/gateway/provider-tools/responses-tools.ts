import { asObject, member, textOf } from '../usage/answer-reader.ts';
import { filtered, isFetched, type Removal, replaced, withheld, withMember } from './removal.ts';

/** Hosted tools. `function`, `custom`, `local_shell`, `shell` and `apply_patch` run at the harness and stay. */
const HOSTED =
  /^(web_search|web_search_preview|code_interpreter|mcp|image_generation|file_search|computer_use_preview|computer)(_|$)/;

/** Takes out hosted tools, also those that Codex declares in input items, and images and files by URL. */
export const removeResponsesTools: Removal = (body, tell) => {
  let kept = withMember(body, 'tools', filtered(body.tools, hostedTool, tell));
  if (kept.tools !== body.tools && choiceIsGone(kept)) kept = withMember(kept, 'tool_choice', undefined);
  const input = replaced(kept.input, (item) => declaration(item, tell) ?? urlContent(item, tell));
  return withMember(kept, 'input', input);
};

function hostedTool(tool: unknown): string | undefined {
  const type = textOf(tool, 'type');
  if (type === undefined || !HOSTED.test(type)) return undefined;
  // A shell in the harness's own hands has a hosted sibling that runs in a container of the provider.
  return type;
}

function choiceIsGone(body: Readonly<Record<string, unknown>>): boolean {
  const choice = body.tool_choice;
  if (body.tools === undefined) return choice !== undefined;
  return asObject(choice) !== undefined && hostedTool(choice) !== undefined;
}

function declaration(item: Readonly<Record<string, unknown>>, tell: (name: string) => void): unknown {
  if (item.type !== 'additional_tools') return undefined;
  const tools = filtered(item.tools, hostedTool, tell);
  return tools === item.tools ? undefined : { ...item, tools: tools ?? [] };
}

function urlContent(part: Readonly<Record<string, unknown>>, tell: (name: string) => void): unknown {
  const type = textOf(part, 'type');
  if (type !== 'input_image' && type !== 'input_file') return undefined;
  const url = type === 'input_image' ? imageUrl(part) : part.file_url;
  if (!isFetched(url)) return undefined;
  tell(`${type}:url`);
  return { type: 'input_text', text: withheld(type) };
}

function imageUrl(part: Readonly<Record<string, unknown>>): unknown {
  return asObject(part.image_url) === undefined ? part.image_url : member(part.image_url, 'url');
}
