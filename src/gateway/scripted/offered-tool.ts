import type { ModelProtocol } from '../../model/model-protocol.ts';
import { items, members, textOf } from './loose-json.ts';

/** A tool that a request offers to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input; undefined: it takes a text as it is. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  /** The group that it is called in (Responses). */
  readonly namespace?: string;
}

/** The tools of a request that the harness itself runs, in order; provider-side ones (web search and the like) are left out. */
export function offeredTools(body: unknown, protocol: ModelProtocol): readonly OfferedTool[] {
  const { tools, input } = members(body);
  switch (protocol) {
    case 'anthropic-messages':
      return items(tools).flatMap((tool) => named(tool, members(tool).input_schema));
    case 'openai-chat':
      return items(tools).flatMap((tool) => {
        const inner = members(tool).function;
        return named(inner, members(inner).parameters ?? {});
      });
    case 'openai-responses':
      // Some models get their tools as an item of the input.
      return [tools, ...items(input).map((item) => members(item).tools)].flatMap((some) =>
        responsesTools(some),
      );
    case 'gemini':
      return items(tools)
        .flatMap((group) =>
          items(members(group).functionDeclarations ?? members(group).function_declarations),
        )
        .flatMap((tool) => named(tool, members(tool).parametersJsonSchema ?? members(tool).parameters ?? {}));
  }
}

function responsesTools(tools: unknown, namespace?: string): readonly OfferedTool[] {
  return items(tools).flatMap((tool) => {
    const { type, parameters, tools: inner, name } = members(tool);
    if (inner !== undefined) return responsesTools(inner, textOf(name));
    const within = namespace === undefined ? {} : { namespace };
    if (type === 'custom') return named(tool, undefined, true).map((one) => ({ ...one, ...within }));
    return type === 'function' ? named(tool, parameters ?? {}).map((one) => ({ ...one, ...within })) : [];
  });
}

function named(tool: unknown, schema: unknown, takesText = false): readonly OfferedTool[] {
  const { name, description } = members(tool);
  if (typeof name !== 'string' || (schema === undefined && !takesText)) return [];
  return [{ name, description: textOf(description) ?? '', schema: takesText ? undefined : members(schema) }];
}
