import type { WireError } from './wire.ts';

const ERRORS: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'permission_denied'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};

/** An error as both OpenAI protocols report it. */
export function openaiError({ status, message }: WireError) {
  const [type, code] = ERRORS[status] ?? ['server_error', null];
  return { error: { message, type, param: null, code } };
}
