import type { ModelRequest } from '../exchange.ts';
import { CREATED_AT, tokensOf } from './reply.ts';

/** The answer to a request to count the tokens of what it holds. */
export function tokenCount({ protocol, bytes }: ModelRequest): unknown {
  const count = tokensOf(bytes.length);
  if (protocol === 'gemini') return { totalTokens: count };
  return protocol === 'openai-responses'
    ? { object: 'response.input_tokens', input_tokens: count }
    : { input_tokens: count };
}

/** The answer to a request for the list of models, or for one of them by name: any name is known. */
export function modelList(request: ModelRequest, models: readonly string[]): unknown {
  const [, name] = /\/models\/([^/?:]+)/.exec(request.path) ?? [];
  if (name !== undefined) return model(decodeURIComponent(name), request);
  const all = models.map((one) => model(one, request));
  switch (request.protocol) {
    case 'gemini':
      return { models: all };
    case 'anthropic-messages':
      return { data: all, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
    case 'openai-chat':
    case 'openai-responses':
      return { object: 'list', data: all };
  }
}

const WINDOW_TOKENS = 1_000_000;
const ANSWER_TOKENS = 64_000;

function model(name: string, { protocol }: ModelRequest): unknown {
  switch (protocol) {
    case 'gemini':
      return {
        name: `models/${name}`,
        version: '1',
        displayName: name,
        inputTokenLimit: WINDOW_TOKENS,
        outputTokenLimit: ANSWER_TOKENS,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      };
    case 'anthropic-messages':
      return {
        type: 'model',
        id: name,
        display_name: name,
        created_at: new Date(CREATED_AT * 1000).toISOString(),
      };
    case 'openai-chat':
    case 'openai-responses':
      return { id: name, object: 'model', created: CREATED_AT, owned_by: 'scripted' };
  }
}
