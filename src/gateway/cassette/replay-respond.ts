import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ModelRequest, Respond } from '../exchange.ts';
import type { Admission } from '../gateway.ts';
import { chunkOf, ExchangeHead, ExchangePart } from './cassette-file.ts';
import { CassetteMiss } from './cassette-miss.ts';
import { exchangeKey } from './exchange-key.ts';

/** A recorded exchange, its body still on the disk. */
interface Exchange {
  readonly path: string;
  readonly head: ExchangeHead;
}

/** A folder of recorded exchanges, ready to be replayed. */
export interface Cassette {
  readonly dir: string;
  readonly exchanges: readonly Exchange[];
}

/** Reads the heads of all exchanges in a folder. Rejects where the folder cannot be read or a file in it is none of ours. */
export async function openCassette(dir: string): Promise<Cassette> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.jsonl')).sort();
  const exchanges: Exchange[] = [];
  for (const name of names) {
    const path = join(dir, name);
    exchanges.push({ path, head: await headOf(path) });
  }
  exchanges.sort((a, b) => a.head.ordinal - b.head.ordinal);
  return { dir, exchanges };
}

async function headOf(path: string): Promise<ExchangeHead> {
  try {
    return ExchangeHead.parse(JSON.parse(await firstLine(path)));
  } catch (cause) {
    throw new Error(`${path} is no recorded exchange`, { cause });
  }
}

/**
 * Answers one attempt's requests from a cassette. Looked for in this order, each answer given once: what this attempt of the trial asked
 * word for word; what it asked but for the outputs of its commands, since those tell times and process ids; and what any other
 * trial asked word for word. Throws {@link CassetteMiss} where there is nothing: a changed task or prompt must not get old answers.
 */
export function replayRespond(cassette: Cassette, admission: Pick<Admission, 'trial' | 'attempt'>): Respond {
  const own = cassette.exchanges.filter(
    ({ head }) => head.trial === admission.trial && head.attempt === admission.attempt,
  );
  const given = new Set<Exchange>();
  return async (request) => {
    const key = exchangeKey(request);
    const isFree = (exchange: Exchange) => !given.has(exchange);
    const found =
      own.find((one) => isFree(one) && one.head.whole === key.whole) ??
      own.find((one) => isFree(one) && one.head.withoutResults === key.withoutResults) ??
      cassette.exchanges.find((one) => isFree(one) && one.head.whole === key.whole);
    if (found === undefined) throw new CassetteMiss(missText(request, cassette, admission));
    given.add(found);
    const { status, headers } = found.head;
    return { status, headers, body: bodyOf(found.path) };
  };
}

function missText(
  request: ModelRequest,
  { dir }: Cassette,
  { trial, attempt }: Pick<Admission, 'trial' | 'attempt'>,
) {
  return (
    `the cassette ${dir} holds no answer to ${request.method} ${request.path} of ${trial}, attempt ${attempt}: ` +
    'the task, the Skills or the harness differ from when it was recorded; record it again'
  );
}

async function firstLine(path: string): Promise<string> {
  await using file = await open(path);
  for await (const line of file.readLines()) return line;
  return '';
}

async function* bodyOf(path: string): AsyncGenerator<Uint8Array> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let isHead = true;
  for await (const line of lines) {
    const part = isHead ? undefined : ExchangePart.parse(JSON.parse(line));
    isHead = false;
    if (part === undefined) continue;
    const chunk = chunkOf(part);
    if (chunk !== undefined) yield chunk;
    else if ('end' in part && part.end === 'cut') throw new Error('the recorded answer broke off here');
  }
}
