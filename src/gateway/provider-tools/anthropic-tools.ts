import { asObject, member, textOf } from '../usage/answer-reader.ts';
import { filtered, type Removal, replaced, withheld, withMember } from './removal.ts';

/** Tools that run at the provider. `computer_*`, `bash_*` and `text_editor_*` run at the harness and stay. */
const PROVIDER_TOOL = /^(web_search|web_fetch|code_execution|mcp_toolset|mcp)(_|$)/;

/** Takes out server tools, remote MCP servers, containers for code execution, and documents and images by URL or stored file. */
export const removeAnthropicTools: Removal = (body, tell) => {
  let kept = withMember(body, 'tools', filtered(body.tools, providerTool, tell));
  kept = withoutForcedTool(kept, body);
  for (const name of ['mcp_servers', 'container'] as const) {
    if (kept[name] === undefined) continue;
    tell(name);
    kept = withMember(kept, name, undefined);
  }
  for (const name of ['messages', 'system'] as const) {
    kept = withMember(
      kept,
      name,
      replaced(kept[name], (object) => urlSource(object, tell)),
    );
  }
  return kept;
};

function providerTool(tool: unknown): string | undefined {
  const type = textOf(tool, 'type');
  return type !== undefined && PROVIDER_TOOL.test(type) ? type : undefined;
}

/** A choice of a tool that is gone would be refused. */
function withoutForcedTool(
  kept: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (kept.tools === before.tools || kept.tool_choice === undefined) return kept;
  const name = textOf(kept.tool_choice, 'name');
  const tools = Array.isArray(kept.tools) ? kept.tools : [];
  const stillThere =
    name === undefined ? tools.length > 0 : tools.some((tool) => textOf(tool, 'name') === name);
  return stillThere ? kept : withMember(kept, 'tool_choice', undefined);
}

function urlSource(block: Readonly<Record<string, unknown>>, tell: (name: string) => void): unknown {
  const type = textOf(block, 'type');
  if (type !== 'image' && type !== 'document') return undefined;
  if (asObject(block.source) === undefined || member(block.source, 'type') !== 'url') return undefined;
  tell(`${type}:url`);
  return { type: 'text', text: withheld(type) };
}
