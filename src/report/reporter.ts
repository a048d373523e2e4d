import type { RunEvent } from '../model/event.ts';

/** Listens to a run. One reporter, one stream. */
export interface Reporter {
  /** Takes every event, in order. May throw: the fan-out stands between reporters and the run. */
  onEvent(event: RunEvent): void;
  /** Ends timers and restores the terminal. Called once, on every path, also when the run was interrupted. */
  close(): void | Promise<void>;
}

/** Where a reporter writes, and what it may know of the terminal and the time. It never looks at the process. */
export interface ReportOutput {
  readonly stream: { write(text: string): unknown };
  /** Asked before each line, so that a resized terminal is met. */
  readonly columns: number;
  readonly isTty: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
