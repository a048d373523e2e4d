import type { ModelResponse } from '../exchange.ts';
import type { Redactor } from './redactor.ts';

/**
 * An answer without the secrets that its provider may repeat: a provider's own log, or one that stands between, has done so. Bytes go on as
 * they come, but for those that may be the beginning of a secret.
 */
export function redactedAnswer(response: ModelResponse, redactor: Redactor): ModelResponse {
  // A length would be wrong where a secret was taken out.
  const { 'content-length': _length, ...headers } = redactedHeaders(response, redactor);
  return { ...response, headers, body: redactedBody(response.body, redactor) };
}

/** The headers of an answer without the secrets in their values. */
export function redactedHeaders(
  { headers }: Pick<ModelResponse, 'headers'>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.text(value)]));
}

async function* redactedBody(body: ModelResponse['body'], redactor: Redactor): AsyncGenerator<Uint8Array> {
  const pieces = redactor.pieces();
  for await (const piece of body) {
    const safe = pieces.push(piece);
    if (safe.length > 0) yield safe;
  }
  const rest = pieces.end();
  if (rest.length > 0) yield rest;
}
