import { createReadStream } from 'node:fs';

/** One line of a stream on disk. `torn`: the file ended before the line did. */
export interface EventLine {
  readonly text: string;
  readonly torn: boolean;
}

/** Longest line that is read, in bytes; of longer ones the rest is dropped. */
export const LINE_LIMIT = 16 * 1024 * 1024;

/** The lines of a file, one at a time, so that memory is bounded by the longest line and not by the file. */
export async function* eventLines(path: string): AsyncGenerator<EventLine> {
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer) => {
    const kept = part.subarray(0, Math.max(0, LINE_LIMIT - size));
    size += kept.byteLength;
    parts.push(kept);
  };
  const take = (torn: boolean): EventLine => {
    const line = { text: Buffer.concat(parts).toString('utf8'), torn };
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take(false);
    }
    keep(chunk.subarray(start));
  }
  if (size > 0) yield take(true);
}
