import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, type MainExit, type RunMainOptions } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { endMain, type Limit } from './end-main.ts';
import { engineErrorFrom } from './engine-error.ts';
import { exitState, type InspectState } from './exit-state.ts';
import { type OutputCount, type OutputSink, pumpOutput } from './pump-output.ts';
import { startFailure } from './start-failure.ts';

/** Starting waits for the engine alone; one that takes longer has gone away. */
const START_BUDGET_MS = 300_000;
/** A call that has nothing to wait for. */
const CALL_BUDGET_MS = 60_000;
/** After the end, output that has been still for this long does not come any more. */
const DRAIN_IDLE_MS = 2_000;

/**
 * Attach, start, stream to files, wait; at the limit TERM, grace, kill. Time counts from the engine's answer to the
 * start call, on the monotonic clock. Resolves for every ending of a started process. Rejects when it could not be
 * started, when the engine was lost, and when the output could not be written (the process is ended first).
 */
export async function runMain(api: DockerApi, id: string, options: RunMainOptions): Promise<MainExit> {
  await using files = await openFiles(options);
  if (options.signal.aborted) throw new EngineError('start container', 'aborted', 'stopped on request');
  const stream = await attach(api, id);
  const count: OutputCount = { stdout: 0, stderr: 0 };
  const output = pumpOutput(stream, files, count);
  output.catch(() => undefined);
  try {
    await start(api, id);
    const startedAt = performance.now();
    const exited = waitForExit(api, id);
    exited.catch(() => undefined);
    const limit = await endMain({ ...options, exited, output, kill: (signal) => kill(api, id, signal) });
    const durationMs = performance.now() - startedAt;
    await drain(stream, output, count);
    return await mainExit(api, id, { limit, durationMs, count, stderrPath: options.stderrPath });
  } finally {
    stream.destroy();
    await output.catch(() => undefined);
  }
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

/** Before the start, so that the first byte is not missed. */
function attach(api: DockerApi, id: string): Promise<Readable> {
  return api.stream({
    operation: 'attach',
    method: 'POST',
    path: `/containers/${id}/attach`,
    query: { stream: true, stdout: true, stderr: true },
    hijack: true,
    signal: AbortSignal.timeout(START_BUDGET_MS),
  });
}

/** Never cut short by the caller: a half-made start leaves a process that nobody waits for. */
function start(api: DockerApi, id: string): Promise<void> {
  const signal = AbortSignal.timeout(START_BUDGET_MS);
  return api.run({ operation: 'start container', method: 'POST', path: `/containers/${id}/start`, signal });
}

function waitForExit(api: DockerApi, id: string): Promise<unknown> {
  return api.json({ operation: 'wait for container', method: 'POST', path: `/containers/${id}/wait` });
}

async function kill(api: DockerApi, id: string, signal: string): Promise<boolean> {
  try {
    await api.run({
      operation: 'kill container',
      method: 'POST',
      path: `/containers/${id}/kill`,
      query: { signal },
      signal: AbortSignal.timeout(CALL_BUDGET_MS),
    });
    return true;
  } catch (error) {
    if (
      error instanceof EngineError &&
      (error.kind === 'conflict' || /is not running/i.test(error.message))
    ) {
      return false;
    }
    throw error;
  }
}

/** Takes what is still on its way, as long as something comes. Rejects when the files could not be written. */
async function drain(stream: Readable, output: Promise<void>, count: OutputCount): Promise<void> {
  const finished = output.then(() => true);
  for (;;) {
    const before = count.stdout + count.stderr;
    const timer = new AbortController();
    const idle = sleep(DRAIN_IDLE_MS, false, { signal: timer.signal }).catch(() => false);
    try {
      if (await Promise.race([finished, idle])) return;
    } catch (error) {
      throw engineErrorFrom('write output', error);
    } finally {
      timer.abort();
    }
    if (count.stdout + count.stderr === before) break;
  }
  count.fault ??= `the engine did not close the stream within ${DRAIN_IDLE_MS} ms of the end`;
  stream.destroy();
}

interface Ended {
  readonly limit: Limit | undefined;
  readonly durationMs: number;
  readonly count: OutputCount;
  readonly stderrPath: string;
}

async function mainExit(api: DockerApi, id: string, ended: Ended): Promise<MainExit> {
  const { State } = await api.json<{ State: InspectState }>({
    operation: 'inspect container',
    method: 'GET',
    path: `/containers/${id}/json`,
    signal: AbortSignal.timeout(CALL_BUDGET_MS),
  });
  const state = exitState(State);
  const failure = await startFailure(state, ended);
  if (failure !== undefined) throw new EngineError('start container', 'other', failure);
  const { limit, durationMs, count } = ended;
  return {
    exitCode: state.kind === 'exited' ? state.exitCode : null,
    ...(state.kind === 'killed' && state.signal !== undefined ? { signal: state.signal } : {}),
    outOfMemory: state.kind === 'out-of-memory' || (state.kind === 'exited' && state.outOfMemory),
    ...(limit === 'timeout' || limit === 'abort' ? { endedBy: limit } : {}),
    durationMs,
    stdoutBytes: count.stdout,
    stderrBytes: count.stderr,
    ...(count.fault === undefined ? {} : { outputFault: count.fault }),
  };
}
