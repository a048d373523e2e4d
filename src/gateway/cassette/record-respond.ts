import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { shortDigest } from '../../base/digest.ts';
import type { ModelRequest, ModelResponse, Respond } from '../exchange.ts';
import type { Admission } from '../gateway.ts';
import type { Redactor } from '../redact/redactor.ts';
import { type ExchangeHead, partOf } from './cassette-file.ts';
import { exchangeKey } from './exchange-key.ts';

/** What is recorded, and where to. */
export interface RecordOptions {
  /** Cassette folder; made where it is not there. */
  readonly dir: string;
  readonly admission: Pick<Admission, 'trial' | 'attempt'>;
  readonly respond: Respond;
  /** Takes out secrets before anything is written. */
  readonly redactor: Redactor;
}

/**
 * Answers as the inner responder does, and keeps each answer in a file of its own while it passes; memory does not grow with it. Answers that
 * the gateway asks again for (429, 503, 529) are not kept: the replayed run need not wait for them.
 */
export function recordRespond({ dir, admission, respond, redactor }: RecordOptions): Respond {
  let ordinals = 0;
  return async (request, signal) => {
    const response = await respond(request, signal);
    if ([429, 503, 529].includes(response.status)) return response;
    const head = headOf(request, response, { ...admission, ordinal: ++ordinals });
    return { ...response, body: recorded(response.body, { dir, head, redactor }) };
  };
}

function headOf(
  request: ModelRequest,
  response: ModelResponse,
  place: { readonly trial: string; readonly attempt: number; readonly ordinal: number },
): ExchangeHead {
  const { protocol, method, path } = request;
  const { status, headers } = response;
  const { trial, attempt, ordinal } = place;
  // A length would be wrong where a secret was taken out.
  const { 'content-length': _length, ...kept } = headers;
  return {
    schemaVersion: 1,
    ...{ trial, attempt, ordinal, protocol, method, path },
    ...exchangeKey(request),
    ...{ status, headers: kept },
  };
}

async function* recorded(
  body: ModelResponse['body'],
  { dir, head, redactor }: { readonly dir: string; readonly head: ExchangeHead; readonly redactor: Redactor },
): AsyncGenerator<Uint8Array> {
  const name = `${head.trial.replaceAll('/', '~')}~${head.attempt}-${head.ordinal}-${shortDigest(head.whole)}.jsonl`;
  await mkdir(dir, { recursive: true });
  // Under another name until it is whole: a replay must not read half an exchange.
  const temporary = join(dir, `${name}.part`);
  const file = createWriteStream(temporary);
  const pieces = redactor.pieces();
  const keep = (chunk: Uint8Array) => {
    if (chunk.length > 0) file.write(line(partOf(chunk)));
  };
  file.write(line(redactor.value(head)));
  let end: 'whole' | 'cut' = 'cut';
  try {
    for await (const chunk of body) {
      keep(pieces.push(chunk));
      yield chunk;
      if (file.writableNeedDrain) await once(file, 'drain');
    }
    end = 'whole';
  } finally {
    keep(pieces.end());
    await closed(file, line({ end }));
    await rename(temporary, join(dir, name));
  }
}

async function closed(file: WriteStream, last: string): Promise<void> {
  const done = once(file, 'close');
  file.end(last);
  await done;
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
