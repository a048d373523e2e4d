import type { Writable } from 'node:stream';

/** A stream that people or programs read. */
export interface OutputStream {
  readonly stream: Writable;
  readonly isTty: boolean;
  /** Characters a line holds. */
  readonly columns: number;
}

/** Everything of the process that the rest may know; made once, handed down. */
export interface Environment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Data: tables and `--json` lines. */
  readonly stdout: OutputStream;
  /** Talk: progress, problems, hints. */
  readonly stderr: OutputStream;
  readonly now: () => Date;
  /** Calls back on INT, TERM and HUP; returns how to stop listening. */
  readonly onSignal: (listener: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void) => () => void;
}

/** Writes one line. */
export function say(output: OutputStream, line: string): void {
  output.stream.write(`${line}\n`);
}
