import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { MainExit, RunMainOptions } from '../main-process.ts';
import type { DockerApi } from './api.ts';
import { driveMain } from './drive-main.ts';
import { engineErrorFrom } from './engine-error.ts';
import { type OutputSink, pumpOutput } from './pump-output.ts';

/** A main process with nobody in front of it: its two streams go to files. */
export async function runMain(api: DockerApi, id: string, options: RunMainOptions): Promise<MainExit> {
  await using files = await openFiles(options);
  const { timeoutMs, graceMs, signal, stderrPath, outputLimitBytes } = options;
  return await driveMain(api, id, {
    timeoutMs,
    graceMs,
    signal,
    stdin: false,
    isTerminal: false,
    pump: (stream, count) =>
      pumpOutput(stream, { ...files, framing: 'framed', limitBytes: outputLimitBytes }, count),
    firstErrors: () => readFile(stderrPath, 'utf8'),
  });
}

interface OutputFiles extends AsyncDisposable {
  readonly stdout: OutputSink;
  readonly stderr: OutputSink;
}

/** `writeFile` goes on after a short write, where `write` leaves that to its caller. */
function sink(file: FileHandle): OutputSink {
  return { write: (bytes) => file.writeFile(bytes) };
}

async function openFiles({ stdoutPath, stderrPath }: RunMainOptions): Promise<OutputFiles> {
  await using stack = new AsyncDisposableStack();
  try {
    const stdout = stack.use(await open(stdoutPath, 'w'));
    const stderr = stack.use(await open(stderrPath, 'w'));
    const owned = stack.move();
    return { stdout: sink(stdout), stderr: sink(stderr), [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } catch (error) {
    throw engineErrorFrom('open output files', error);
  }
}
