import type { ModelProtocol } from '../model/model-protocol.ts';
import type { ModelResponse } from './exchange.ts';

/** What went wrong, in words that each protocol has its own name for. */
export type ErrorKind =
  | 'auth'
  | 'budget'
  | 'forbidden'
  | 'limit'
  | 'not-found'
  | 'too-large'
  | 'unavailable'
  | 'bad-request';

interface Names {
  readonly status: number;
  readonly anthropic: string;
  readonly openai: string;
  readonly gemini: string;
}

const NAMES: Readonly<Record<ErrorKind, Names>> = {
  auth: {
    status: 401,
    anthropic: 'authentication_error',
    openai: 'invalid_api_key',
    gemini: 'UNAUTHENTICATED',
  },
  budget: {
    status: 403,
    anthropic: 'permission_error',
    openai: 'budget_exhausted',
    gemini: 'PERMISSION_DENIED',
  },
  forbidden: { status: 403, anthropic: 'permission_error', openai: 'forbidden', gemini: 'PERMISSION_DENIED' },
  limit: {
    status: 429,
    anthropic: 'rate_limit_error',
    openai: 'rate_limit_exceeded',
    gemini: 'RESOURCE_EXHAUSTED',
  },
  'not-found': { status: 404, anthropic: 'not_found_error', openai: 'not_found', gemini: 'NOT_FOUND' },
  'too-large': {
    status: 413,
    anthropic: 'request_too_large',
    openai: 'request_too_large',
    gemini: 'INVALID_ARGUMENT',
  },
  unavailable: { status: 503, anthropic: 'api_error', openai: 'server_error', gemini: 'UNAVAILABLE' },
  'bad-request': {
    status: 400,
    anthropic: 'invalid_request_error',
    openai: 'invalid_request',
    gemini: 'INVALID_ARGUMENT',
  },
};

/**
 * An error in the protocol's own shape. A used-up budget has the status after which the protocol's harnesses do not ask again: 403, but
 * 429 without `Retry-After` for Responses, whose harness asks six times after a 403.
 */
export function protocolError(protocol: ModelProtocol, kind: ErrorKind, message: string): ModelResponse {
  const names = NAMES[kind];
  const status = kind === 'budget' && protocol === 'openai-responses' ? 429 : names.status;
  const text = JSON.stringify(shape(protocol, { status, message, names }));
  const bytes = new TextEncoder().encode(text);
  return {
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) },
    body: once(bytes),
  };
}

function shape(
  protocol: ModelProtocol,
  { status, message, names }: { readonly status: number; readonly message: string; readonly names: Names },
): unknown {
  if (protocol === 'anthropic-messages') {
    return { type: 'error', error: { type: names.anthropic, message } };
  }
  if (protocol === 'gemini') return { error: { code: status, message, status: names.gemini } };
  return { error: { message, type: names.openai, param: null, code: names.openai } };
}

/** A body that is there whole. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
