import type { Readable, Writable } from 'node:stream';

/** What ends a main process before it ends by itself. No time is longer than the longest timer, 24 days. */
export interface MainLimits {
  readonly timeoutMs: number;
  /** Between TERM and kill. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
}

/** How a main process is run and where its output goes. */
export interface RunMainOptions extends MainLimits {
  readonly stdoutPath: string;
  readonly stderrPath: string;
  /** Most bytes of both streams together: what goes beyond ends the process, and is not kept. Absent: no limit. */
  readonly outputLimitBytes?: number;
}

/** Who sits in front of a main process: a person at a terminal, or a program with three pipes. */
export interface RunTerminalOptions extends MainLimits {
  /** Sent as it comes; its end is the end of the process's standard input. Paused, and no longer read, when the process has ended. */
  readonly input: Readable;
  /** Never ended, like `stderr`. A terminal has all its output here. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Of a terminal's window, in characters. `onResize` calls back when it has changed, and returns how to stop listening. */
  readonly size?: () => { readonly columns: number; readonly rows: number };
  readonly onResize?: (listener: () => void) => () => void;
}

/**
 * Exit state from the engine's own record. `exitCode` null: it did not end by itself, and `signal` says what ended it.
 * 137 and 143 count as SIGKILL and SIGTERM: a program that itself exits with one of them cannot be told apart.
 * `outOfMemory`: the engine saw memory run out and the main process did not end with 0.
 */
export interface MainExit {
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly outOfMemory: boolean;
  /** Which limit ended it first; absent when it ended by itself. */
  readonly endedBy?: 'timeout' | 'abort' | 'output';
  readonly durationMs: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Why the output on disk may be incomplete (a torn or lost stream); absent when it is whole. */
  readonly outputFault?: string;
}
