import type { Readable, Writable } from 'node:stream';

/** A stream that people or programs read. */
export interface OutputStream {
  readonly stream: Writable;
  readonly isTty: boolean;
  /** Characters a line holds. */
  readonly columns: number;
}

/** A terminal that somebody types at. */
export interface Terminal {
  /** Whether keys come one by one and unchanged, those that would be a signal too. */
  readonly setRaw: (isRaw: boolean) => void;
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Calls back when the window has changed; returns how to stop listening. */
  readonly onResize: (listener: () => void) => () => void;
}

/** Where answers and commands come from. */
export interface InputStream {
  readonly stream: Readable;
  /** Absent: a file, a program, or nothing. */
  readonly terminal?: Terminal | undefined;
}

/** Everything of the process that the rest may know; made once, handed down. */
export interface Environment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: InputStream;
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
