import type { Writable } from 'node:stream';
import type { OutputStream } from './environment.ts';

/**
 * A stream of the process, as the rest may know it. `term` is the variable TERM. A terminal that says it has no columns
 * (as some that are made by programs do) can hold no display that is drawn over, so it counts as none.
 */
export function outputStream(
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  term: string | undefined,
): OutputStream {
  return {
    stream,
    isTty: stream.isTTY === true && term !== 'dumb' && stream.columns !== 0,
    columns: stream.columns || 120,
  };
}
