import type { Reply, ReplyCall } from './reply.ts';
import { textPieces } from './text-pieces.ts';

/** One server-sent event. */
export interface Frame {
  /** The `event:` line; none in protocols that name no events. */
  readonly event?: string;
  readonly data: string;
}

/** An error as a provider reports it. */
export interface WireError {
  readonly status: number;
  readonly message: string;
}

/** How a protocol writes answers. */
export interface Wire {
  /** The whole answer of a request that wants no stream. */
  plain(reply: Reply): unknown;
  /** The events of a stream, made as they are taken. */
  frames(reply: Reply): Iterable<Frame>;
  /** How many of the first events come before anything that the model says. */
  readonly opening: number;
  /** The body of an answer with an error status. */
  error(error: WireError): unknown;
  /** The event that breaks a stream off. */
  errorFrame(error: WireError): Frame;
}

/** An event whose `event:` line is the type in its data, as Anthropic and OpenAI Responses have it. */
export function typedFrame(data: Readonly<Record<string, unknown>> & { readonly type: string }): Frame {
  return { event: data.type, data: JSON.stringify(data) };
}

/** An event without an `event:` line. */
export function bareFrame(data: unknown): Frame {
  return { data: JSON.stringify(data) };
}

/** A call's arguments as a stream brings them. */
export function argumentPieces({ argumentsText }: ReplyCall): readonly string[] {
  return textPieces(argumentsText);
}
