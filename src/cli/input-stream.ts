import type { ReadStream, WriteStream } from 'node:tty';
import type { InputStream } from './environment.ts';

/** The standard input of the process, as the rest may know it. It counts as a terminal where `output` is one too. */
export function inputStream(
  stream: Pick<ReadStream, 'isTTY' | 'setRawMode'> & InputStream['stream'],
  output: Pick<WriteStream, 'isTTY' | 'columns' | 'rows' | 'on' | 'off'>,
): InputStream {
  // The types know terminals alone; of anything else both are undefined.
  if (!stream.isTTY || !output.isTTY) return { stream };
  return {
    stream,
    terminal: {
      setRaw: (isRaw) => void stream.setRawMode(isRaw),
      size: () => ({ columns: output.columns, rows: output.rows }),
      onResize: (listener) => {
        output.on('resize', listener);
        return () => void output.off('resize', listener);
      },
    },
  };
}
