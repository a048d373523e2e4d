import type { ModelRequest } from '../exchange.ts';
import { asObject } from '../usage/answer-reader.ts';
import { removeAnthropicTools } from './anthropic-tools.ts';
import { removeChatTools } from './chat-tools.ts';
import { removeGeminiTools } from './gemini-tools.ts';
import type { Removal } from './removal.ts';
import { removeResponsesTools } from './responses-tools.ts';

const REMOVERS: Readonly<Record<ModelRequest['protocol'], Removal>> = {
  'anthropic-messages': removeAnthropicTools,
  'openai-responses': removeResponsesTools,
  'openai-chat': removeChatTools,
  gemini: removeGeminiTools,
};

/**
 * The request without what would let the provider reach the internet, or run code, for the agent: that goes round the container's
 * network. Where nothing had to go it is the same value with the same bytes; else the body is written anew, and nothing but that differs.
 */
export function withoutProviderTools(request: ModelRequest): {
  readonly request: ModelRequest;
  /** Each thing that was taken out, by its type or name. */
  readonly removed: readonly string[];
} {
  const before = asObject(request.body);
  if (before === undefined) return { request, removed: [] };
  const removed: string[] = [];
  const body = REMOVERS[request.protocol](before, (name) => removed.push(name));
  if (removed.length === 0) return { request, removed };
  // The new body is not compressed, whatever the old one was.
  const { 'content-encoding': _encoding, ...headers } = request.headers;
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return { request: { ...request, headers, body, bytes }, removed: [...new Set(removed)] };
}
