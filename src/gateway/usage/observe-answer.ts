import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { assertNever } from '../../base/assert-never.ts';
import type { ModelProtocol } from '../../model/model-protocol.ts';
import { type AnswerFacts, type AnswerReader, parsedJson } from './answer-reader.ts';
import { anthropicAnswer } from './anthropic-answer.ts';
import { chatAnswer } from './chat-answer.ts';
import { geminiAnswer } from './gemini-answer.ts';
import { responsesAnswer } from './responses-answer.ts';
import { MAX_EVENT_BYTES, SseEvents } from './sse-events.ts';

/** Reads an answer from a copy of its bytes, while they pass. */
export interface AnswerObserver {
  /** Awaited before the next chunk where it is a promise: a decoder that is behind slows the stream instead of filling the memory. */
  push(chunk: Uint8Array): Promise<void> | undefined;
  /** What was read, whether or not the answer came to its end. */
  end(): Promise<AnswerFacts>;
}

interface Sink {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** Observes an answer with these response headers; a body in a shape that nobody can read is let pass. */
export function observeAnswer(
  protocol: ModelProtocol,
  headers: Readonly<Record<string, string>>,
): AnswerObserver {
  const reader = readerOf(protocol);
  const type = headers['content-type'] ?? '';
  const sink = type.startsWith('text/event-stream') ? eventSink(reader) : plainSink(reader);
  const decoder = decoderOf(headers['content-encoding']);
  if (decoder !== undefined) return decoding(decoder, sink, reader);
  return {
    push: (chunk) => {
      sink.push(chunk);
      return undefined;
    },
    end: async () => {
      sink.end();
      return reader.facts();
    },
  };
}

function readerOf(protocol: ModelProtocol): AnswerReader {
  switch (protocol) {
    case 'anthropic-messages':
      return anthropicAnswer();
    case 'openai-responses':
      return responsesAnswer();
    case 'openai-chat':
      return chatAnswer();
    case 'gemini':
      return geminiAnswer();
    default:
      return assertNever(protocol);
  }
}

function eventSink(reader: AnswerReader): Sink {
  return new SseEvents((data) => reader.event(data));
}

/** Holds a plain body up to the length of the longest event; a longer one is not read. */
function plainSink(reader: AnswerReader): Sink {
  let parts: Uint8Array[] = [];
  let length = 0;
  return {
    push: (chunk) => {
      length += chunk.length;
      if (length <= MAX_EVENT_BYTES) parts.push(chunk);
      else parts = [];
    },
    end: () => {
      const body = parts.length === 0 ? undefined : parsedJson(Buffer.concat(parts));
      if (body !== undefined) reader.plain(body);
    },
  };
}

function decoderOf(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case 'deflate':
      return zlib.createInflate({ finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return zlib.createZstdDecompress();
    default:
      return undefined;
  }
}

function decoding(decoder: Transform, sink: Sink, reader: AnswerReader): AnswerObserver {
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  decoder.on('data', (chunk: Buffer) => sink.push(chunk));
  decoder.on('close', resolve);
  // What cannot be decoded cannot be read; the harness gets the bytes all the same.
  decoder.on('error', () => resolve());
  return {
    push: (chunk) => {
      if (decoder.destroyed || decoder.write(chunk)) return undefined;
      return Promise.race([new Promise<void>((done) => decoder.once('drain', done)), finished]);
    },
    end: async () => {
      if (!decoder.destroyed) decoder.end();
      await finished;
      sink.end();
      return reader.facts();
    },
  };
}
