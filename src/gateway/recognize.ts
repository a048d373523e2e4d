import type { ModelProtocol } from '../model/model-protocol.ts';
import type { RequestKind } from './exchange.ts';

/** What a request's method and path say about it. */
export interface Recognized {
  readonly protocol: ModelProtocol;
  readonly kind: RequestKind;
  /** Path in the protocol's full form, query and key left out. */
  readonly path: string;
  /** Where the path names the model (Gemini). */
  readonly model?: string;
  /** Where the path says whether the answer is a stream (Gemini). */
  readonly stream?: boolean;
}

const GEMINI_MODEL =
  /^\/(?:v1|v1beta|v1beta1)\/(?:publishers\/google\/|projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/)?models(?:\/([^/:]+)(?::([A-Za-z]+))?)?$/;

const GEMINI_VERBS: Readonly<Record<string, RequestKind>> = {
  generateContent: 'generate',
  streamGenerateContent: 'generate',
  countTokens: 'count-tokens',
};

const POSTS: Readonly<Record<string, readonly [ModelProtocol, RequestKind]>> = {
  '/v1/messages': ['anthropic-messages', 'generate'],
  '/v1/messages/count_tokens': ['anthropic-messages', 'count-tokens'],
  '/v1/responses': ['openai-responses', 'generate'],
  '/v1/responses/compact': ['openai-responses', 'generate'],
  '/v1/responses/input_tokens': ['openai-responses', 'count-tokens'],
  '/v1/chat/completions': ['openai-chat', 'generate'],
};

/**
 * Tells protocol and kind from method and path; undefined for what belongs to no protocol. `models` is the protocol that a
 * listing at `/v1/models` is taken for, since Anthropic's and OpenAI's lie at the same place.
 */
export function recognize(method: string, pathname: string, models: ModelProtocol): Recognized | undefined {
  const path = fullPath(pathname);
  if (method === 'POST') {
    const known = POSTS[path];
    if (known !== undefined) return { protocol: known[0], kind: known[1], path };
  }
  if (method === 'GET' && models !== 'gemini' && /^\/v1\/models(\/[^/]+)?$/.test(path)) {
    return { protocol: models, kind: 'list-models', path };
  }
  return gemini(method, path);
}

/** Harnesses that are given a base URL without `/v1` leave it out. */
function fullPath(pathname: string): string {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  return /^\/(responses|chat\/completions|messages)(\/|$)/.test(path) ? `/v1${path}` : path;
}

function gemini(method: string, path: string): Recognized | undefined {
  const match = GEMINI_MODEL.exec(path);
  if (match === null) return undefined;
  const [, model, verb] = match;
  const base = { protocol: 'gemini', path, ...(model !== undefined && { model }) } as const;
  if (method === 'GET' && verb === undefined) return { ...base, kind: 'list-models', stream: false };
  if (method !== 'POST' || verb === undefined || model === undefined) return undefined;
  return { ...base, kind: GEMINI_VERBS[verb] ?? 'other', stream: verb === 'streamGenerateContent' };
}
