import { digestBytes } from '../../base/digest.ts';
import type { ModelPace } from '../../model/model-script.ts';
import type { ModelRequest } from '../exchange.ts';
import { textPieces } from './text-pieces.ts';

/** A call as it goes out. */
export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** As a value; a text where the tool takes no JSON or the arguments are spoilt. */
  readonly input: unknown;
  /** As it is written where arguments are a text. */
  readonly argumentsText: string;
  /** The tool takes a text as it is. */
  readonly isText: boolean;
}

/** Tokens, guessed from bytes. */
export interface ReplyUsage {
  /** Cached ones included. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** An answer before it is put into a protocol's form. */
export interface Reply {
  /** Hexadecimal, from the request's bytes: equal requests get equal answers. */
  readonly id: string;
  /** Which signs the answer. */
  readonly model: string;
  readonly text: string;
  /** The text again, as a stream brings it. */
  readonly pieces: readonly string[];
  readonly calls: readonly ReplyCall[];
  readonly usage: ReplyUsage;
}

/** Of which answers are made. */
export interface ReplyParts {
  readonly text: string;
  readonly calls: readonly Omit<ReplyCall, 'id'>[];
  readonly model: string;
  /** Number of the turn, from 0. */
  readonly turn: number;
  readonly pace: ModelPace;
}

const BYTES_PER_TOKEN = 4;

/** When all scripted answers were made, in seconds since 1970: an answer must not depend on the clock. */
export const CREATED_AT = 1_767_225_600;

/** Number of tokens that some bytes are taken for; at least one. */
export function tokensOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BYTES_PER_TOKEN));
}

/** Makes the answer to a request. */
export function makeReply(request: ModelRequest, parts: ReplyParts): Reply {
  const id = digestBytes(`${request.path}\n${digestBytes(request.bytes)}`).slice('sha256:'.length, 31);
  const text =
    parts.text !== '' && parts.calls.length === 0 ? lengthened(parts.text, parts.pace.bytes) : parts.text;
  const calls = parts.calls.map((call, index) => ({ ...call, id: `${id}_${index}` }));
  const input = tokensOf(request.bytes.length);
  const written =
    Buffer.byteLength(text) +
    calls.reduce((sum, call) => sum + call.name.length + Buffer.byteLength(call.argumentsText), 0);
  return {
    id,
    model: parts.model,
    text,
    pieces: textPieces(text, parts.pace.chunks),
    calls,
    // The first request of a conversation finds no cache; later ones find about what was there before.
    usage: { input, cached: parts.turn === 0 ? 0 : Math.floor(input / 2), output: tokensOf(written) },
  };
}

/** A text repeated until it has a number of bytes; cut at a character, so up to three bytes may be missing. */
function lengthened(text: string, bytes: number | undefined): string {
  if (bytes === undefined) return text;
  const unit = Buffer.from(`${text} `);
  let end = bytes;
  while (isContinuation(unit[end % unit.length] ?? 0)) end--;
  return Buffer.alloc(bytes, unit).toString('utf8', 0, end);
}

/** Whether a byte of UTF-8 goes on with a character. */
function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
