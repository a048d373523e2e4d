import type { ModelResponse } from '../exchange.ts';
import { once } from '../protocol-error.ts';
import { redactedHeaders } from '../redact/redacted-answer.ts';
import type { Redactor } from '../redact/redactor.ts';

/** An error is read up to this many bytes before it is passed on; what is longer is cut. */
const MAX_ERROR_BYTES = 2 ** 20;

/**
 * An answer whose body is there whole where it is an error, since what to do about it stands in its text. Providers repeat in errors what they
 * were sent: keys are taken out, also of headers. Other answers are left alone.
 */
export async function bufferedError(
  response: ModelResponse,
  redactor: Redactor,
): Promise<{ readonly response: ModelResponse; readonly errorText: string }> {
  if (response.status < 400) return { response, errorText: '' };
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body) {
    parts.push(part);
    length += part.length;
    if (length > MAX_ERROR_BYTES) break;
  }
  const bytes = Buffer.from(redactor.bytes(Buffer.concat(parts)));
  // It may have been longer before.
  const headers = { ...redactedHeaders(response, redactor), 'content-length': String(bytes.length) };
  return {
    response: { status: response.status, headers, body: once(bytes) },
    errorText: bytes.toString('utf8'),
  };
}
