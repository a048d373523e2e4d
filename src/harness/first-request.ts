import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from './json-events.ts';

/** A text of a model request and who speaks it. */
export interface RequestText {
  /** `system` covers developer messages and instructions. */
  readonly role: 'system' | 'user' | 'other';
  readonly text: string;
}

const Part = z.union([
  z.string(),
  z.looseObject({ text: z.string().optional(), type: z.string().optional() }),
]);
const Content = z.union([z.string(), z.array(Part)]).nullish();
const Message = z.looseObject({ role: z.string().optional(), content: Content, parts: Content });

/** The members in which the four wire protocols carry what is said to the model. */
const RequestBody = z.looseObject({
  /** Anthropic Messages. */
  system: Content,
  /** Anthropic Messages and Chat Completions. */
  messages: z.array(Message).optional(),
  /** Responses. */
  instructions: Content,
  input: z.union([z.string(), z.array(Message)]).optional(),
  /** Gemini. */
  systemInstruction: Message.optional(),
  system_instruction: Message.optional(),
  contents: z.array(Message).optional(),
});

/** The texts of a model request in their order; undefined when the body is none of a known protocol. */
export function requestTexts(body: unknown): RequestText[] | undefined {
  const request = RequestBody.safeParse(body).data;
  if (request === undefined) return undefined;
  const { input } = request;
  const said =
    request.messages ?? request.contents ?? (typeof input === 'string' ? [{ content: input }] : input);
  if (said === undefined) return undefined;
  const system = [request.system, request.instructions].flatMap(texts);
  const instruction = [request.systemInstruction, request.system_instruction].flatMap((each) =>
    texts(each?.parts),
  );
  return [
    ...[...system, ...instruction].map((text) => ({ role: 'system' as const, text })),
    ...said.flatMap(({ role, content, parts }) =>
      texts(content ?? parts).map((text) => ({ role: roleOf(role), text })),
    ),
  ];
}

/** A request as the gateway keeps it: its body beside what else is known of it. */
const KeptRequest = z.looseObject({ protocol: z.string(), body: z.unknown() });

/** The body of a model request kept on disk, with or without the gateway's words round it; undefined when there is none. */
export async function readFirstRequest(path: string | undefined): Promise<unknown> {
  if (path === undefined) return undefined;
  try {
    const value = parseJson(await readFile(path, 'utf8'));
    return KeptRequest.safeParse(value).data?.body ?? value;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function texts(content: z.infer<typeof Content>): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).flatMap((part) => {
    const text = typeof part === 'string' ? part : part.text;
    return text === undefined ? [] : [text];
  });
}

function roleOf(role: string | undefined): RequestText['role'] {
  if (role === 'system' || role === 'developer') return 'system';
  return role === 'user' || role === undefined ? 'user' : 'other';
}
