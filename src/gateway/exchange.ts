import type { ModelProtocol } from '../model/model-protocol.ts';

/** What a harness wants of a provider. */
export type RequestKind = 'generate' | 'count-tokens' | 'list-models' | 'other';

/** A model request as it came in, without credentials. */
export interface ModelRequest {
  readonly protocol: ModelProtocol;
  readonly kind: RequestKind;
  readonly method: string;
  /** With the query, without any key in it; what a provider's base URL is put before. */
  readonly path: string;
  /** Lower-case names; credentials, host, length and connection headers are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's bytes: what a live provider gets unless something was taken out of it. */
  readonly bytes: Uint8Array;
  /** The body as JSON; undefined where there is none or it is not JSON. */
  readonly body: unknown;
  /** As asked for, from the body or the path. */
  readonly model: string | undefined;
  /** Whether the answer is to be a stream of server-sent events. */
  readonly stream: boolean;
  /** How often the attempt has sent the same wish before, byte for byte; absent where nobody counted. */
  readonly repeats?: number;
}

/** An answer. Iterating `body` may throw: then the connection to the harness is cut, as a provider's would be. */
export interface ModelResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Answers a request: a provider, a recorder round one, a cassette, or a script. Rejects only when there can be no answer
 * at all (the harness then sees a broken connection). `signal` fires when the harness has gone or its trial has ended.
 */
export type Respond = (request: ModelRequest, signal: AbortSignal) => Promise<ModelResponse>;
