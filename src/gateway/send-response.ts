import type { ServerResponse } from 'node:http';
import type { ModelResponse } from './exchange.ts';

/** Sends an answer whose body is there whole. */
export async function sendResponse(response: ModelResponse, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  outgoing.writeHead(response.status, response.headers);
  for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}
