import { Duplex, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../engine.ts';
import type { MainExit, MainLimits } from '../main-process.ts';
import type { DockerApi } from './api.ts';
import { endMain, type Limit } from './end-main.ts';
import { engineErrorFrom, protocolError } from './engine-error.ts';
import { type ExitState, exitState } from './exit-state.ts';
import { requireOwnEnd } from './foreign-end.ts';
import type { OutputCount } from './pump-output.ts';
import { startFailure } from './start-failure.ts';
import { startMain } from './start-main.ts';
import { inspectState, watchExit } from './watch-exit.ts';

/** How often, and how far apart, an end by SIGKILL is looked at. */
const MOST_LOOKS = 6;
const LOOK_MS = 100;
/** After the end, output that has been still for this long does not come any more. */
const DRAIN_IDLE_MS = 2_000;
/** A stream ends with its process; the engine's word that it has ended comes at the same time. */
const ALONE_MS = 5_000;
/** The engine takes some keys as the wish to let go of the process, by default one of the shell's; nobody types these. */
const NO_KEYS = Array.from({ length: 8 }, () => 'ctrl-^').join(',');

/** What is at our end of a main process's streams. */
export interface MainEnd extends MainLimits {
  /** Whether the process's standard input is ours to write. */
  readonly stdin: boolean;
  /** All its output comes unframed, as standard output. */
  readonly isTerminal: boolean;
  /** Moves what comes to where it belongs, counting. Resolves at the stream's end; rejects when it can go nowhere. */
  readonly pump: (stream: Readable, count: OutputCount) => Promise<void>;
  /** Told once the process has been started. */
  readonly started?: (stream: Duplex) => void;
  /** What came first on standard error, or of a terminal at all. */
  readonly firstErrors: () => Promise<string>;
}

/**
 * Attach, start, stream, wait; at the limit TERM, grace, kill. Time counts from the engine's answer to the
 * start call, on the monotonic clock. Resolves for every ending of a started process that is its own or comes of a limit. Rejects when it could not be
 * started, when the engine was lost or ended it, and when the output could not be written (the process is ended first).
 */
export async function driveMain(api: DockerApi, id: string, end: MainEnd): Promise<MainExit> {
  if (end.signal.aborted) throw new EngineError('start container', 'aborted', 'stopped on request');
  const stream = await attach(api, id, end.stdin);
  const count: OutputCount = { stdout: 0, stderr: 0 };
  const output = end.pump(stream, count);
  output.catch(() => undefined);
  const { absences } = api;
  try {
    await startMain(api, id);
    const startedAt = performance.now();
    const exited = watchExit(api, id, output);
    exited.catch(() => undefined);
    end.started?.(stream);
    const heard = end.stdin ? endsWithProcess(output, count) : output;
    let isOurs = false;
    const limit = await endMain({
      ...{ ...end, exited, output: heard },
      isFull: () => count.isFull === true,
      kill: (signal) => {
        isOurs = true;
        return kill(api, id, signal);
      },
    });
    const durationMs = performance.now() - startedAt;
    await Promise.all([
      isOurs || requireOwnEnd(api, id, () => api.absences > absences),
      drain(stream, output, count),
    ]);
    return await mainExit(api, id, { ...end, limit, durationMs, count, isOurs });
  } finally {
    stream.destroy();
    await output.catch(() => undefined);
  }
}

/** Rejects where the stream has ended and its process is not known to have, a while after: nobody is in front of it any more. */
async function endsWithProcess(output: Promise<void>, count: OutputCount): Promise<never> {
  await output;
  await sleep(ALONE_MS, undefined, { ref: false });
  count.fault ??= 'the engine let go of the process while it was running';
  throw new EngineError('attach', 'protocol', count.fault);
}

/** Before the start, so that the first byte is not missed. */
async function attach(api: DockerApi, id: string, stdin: boolean): Promise<Duplex> {
  const operation = 'attach';
  const stream = await api.stream({
    operation,
    method: 'POST',
    path: `/containers/${id}/attach`,
    query: { stream: true, stdout: true, stderr: true, ...(stdin ? { stdin, detachKeys: NO_KEYS } : {}) },
    hijack: true,
    again: 'always',
  });
  if (stream instanceof Duplex) return stream;
  stream.destroy();
  throw protocolError(operation, 'the engine did not hand the connection over', undefined);
}

async function kill(api: DockerApi, id: string, signal: string): Promise<boolean> {
  try {
    await api.run({
      operation: 'kill container',
      method: 'POST',
      path: `/containers/${id}/kill`,
      query: { signal },
      again: 'always',
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
  readonly isTerminal: boolean;
  readonly firstErrors: () => Promise<string>;
  /** A signal was sent from here. */
  readonly isOurs: boolean;
}

async function mainExit(api: DockerApi, id: string, ended: Ended): Promise<MainExit> {
  const state = await endState(api, id, ended.isOurs);
  const { limit, durationMs, count, isTerminal, firstErrors } = ended;
  const errors = isTerminal ? { stdout: 0, stderr: count.stdout } : count;
  const failure = await startFailure(state, { count: errors, firstErrors });
  if (failure !== undefined) throw new EngineError('start container', 'other', failure);
  return {
    exitCode: state.kind === 'exited' ? state.exitCode : null,
    ...(state.kind === 'killed' && state.signal !== undefined ? { signal: state.signal } : {}),
    outOfMemory: state.kind === 'out-of-memory' || (state.kind === 'exited' && state.outOfMemory),
    ...(limit === undefined || limit === 'output-lost' ? {} : { endedBy: limit }),
    durationMs,
    stdoutBytes: count.stdout,
    stderrBytes: count.stderr,
    ...(count.fault === undefined ? {} : { outputFault: count.fault }),
  };
}

/** An engine may hear that memory ran out after it has heard of the end that came of it: an unexplained SIGKILL is looked at for a while. */
async function endState(api: DockerApi, id: string, isOurs: boolean): Promise<ExitState> {
  for (let look = 1; ; look++) {
    const state = exitState(await inspectState(api, id));
    const isUnexplained = !isOurs && state.kind === 'killed' && state.signal === 'SIGKILL';
    if (!isUnexplained || look === MOST_LOOKS) return state;
    await sleep(LOOK_MS);
  }
}
