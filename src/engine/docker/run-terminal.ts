import type { Duplex, Readable, Writable } from 'node:stream';
import type { MainExit, RunTerminalOptions } from '../main-process.ts';
import type { DockerApi } from './api.ts';
import { driveMain } from './drive-main.ts';
import { type OutputCount, type OutputSink, pumpOutput } from './pump-output.ts';
import { LONGEST_LINE } from './start-failure.ts';

const CALL_BUDGET_MS = 10_000;

/** A main process with somebody in front of it: input and output as they come. */
export async function runTerminal(
  api: DockerApi,
  container: { readonly id: string; readonly isTerminal: boolean },
  options: RunTerminalOptions,
): Promise<MainExit> {
  const { id, isTerminal } = container;
  const { timeoutMs, graceMs, signal, stdout, stderr } = options;
  const ended = new AbortController();
  const errors = keepFirst(sink(isTerminal ? stdout : stderr));
  const sinks = isTerminal ? { stdout: errors, stderr: errors } : { stdout: sink(stdout), stderr: errors };
  try {
    return await driveMain(api, id, {
      timeoutMs,
      graceMs,
      signal,
      stdin: true,
      isTerminal,
      pump: (stream: Readable, count: OutputCount) =>
        pumpOutput(stream, { ...sinks, framing: isTerminal ? 'raw' : 'framed' }, count),
      started: (stream) => void sendAll(stream),
      firstErrors: async () => errors.first(),
    });
  } finally {
    ended.abort();
  }

  /** The window's size goes first, so that nothing that is typed ahead is shown in another. */
  async function sendAll(stream: Duplex): Promise<void> {
    const { input, size, onResize } = options;
    if (isTerminal && size !== undefined) {
      const resize = () => resizeTerminal(api, id, size());
      const off = onResize?.(() => void resize());
      ended.signal.addEventListener('abort', () => off?.());
      await resize();
    }
    if (!ended.signal.aborted) sendInput(input, stream, { isTerminal, ended: ended.signal });
  }
}

/**
 * Until `ended`. The end of an input ends the process's own, except at a terminal, which has none: told of one, the engine would
 * let go of the process. What the process did not want to read is nobody's fault.
 */
function sendInput(
  input: Readable,
  stream: Duplex,
  { isTerminal, ended }: { readonly isTerminal: boolean; readonly ended: AbortSignal },
): void {
  const broken = () => void (isTerminal || stream.end());
  input.on('error', broken);
  stream.on('error', () => undefined);
  input.pipe(stream, { end: !isTerminal });
  ended.addEventListener('abort', () => {
    input.unpipe(stream);
    input.off('error', broken);
    input.pause();
  });
}

/** A window of the wrong size is no reason to end anything. */
async function resizeTerminal(
  api: DockerApi,
  id: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Promise<void> {
  await api
    .run({
      operation: 'resize terminal',
      method: 'POST',
      path: `/containers/${id}/resize`,
      query: { h: rows, w: columns },
      withinMs: CALL_BUDGET_MS,
    })
    .catch(() => undefined);
}

/** A write ends when the stream can take the next. */
function sink(stream: Writable): OutputSink {
  return {
    write: (bytes) =>
      new Promise<void>((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** Passes everything on and remembers how it began. */
function keepFirst(to: OutputSink): OutputSink & { first(): string } {
  let kept = Buffer.alloc(0);
  return {
    write: (bytes) => {
      if (kept.byteLength < LONGEST_LINE) kept = Buffer.concat([kept, bytes]).subarray(0, LONGEST_LINE);
      return to.write(bytes);
    },
    first: () => kept.toString('utf8'),
  };
}
