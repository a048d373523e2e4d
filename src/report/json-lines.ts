import type { RunEvent } from '../model/event.ts';
import type { Counts, Measurement } from '../model/measurement.ts';
import type { Reporter, ReportOutput } from './reporter.ts';

/** Version of the lines; a change that could break a reader changes it. */
const SCHEMA = 'skillpair/events/1';

/** What the last line says. */
export interface DoneSummary {
  readonly exitCode: number;
  readonly counts: Counts;
  readonly gates: Measurement['gates'];
  readonly publishable: Measurement['publishable'];
  /** Folder of the reports; absent when none were written. */
  readonly reportsDir?: string;
  /** The command that continues an unfinished run. */
  readonly next?: string;
}

/** A reporter for programs. Call `done` once, after the run was measured and before `close`. */
export interface JsonLines extends Reporter {
  done(summary: DoneSummary): void;
}

/**
 * One JSON object a line: first `launch` (once the run is really up; what was built before then comes after it), then
 * each event as in events.jsonl, last `done`. Closed without a summary (a crash, bad input), the last line is a `done`
 * with `exitCode` null.
 */
export function jsonLines({ stream, now }: ReportOutput): JsonLines {
  const early: RunEvent[] = [];
  let isLaunched = false;
  let isDone = false;
  const write = (value: object) => stream.write(`${JSON.stringify(value)}\n`);
  const launch = (at: string, more: object) => {
    if (isLaunched) return;
    write({ schema: SCHEMA, kind: 'launch', at, ...more });
    isLaunched = true;
    for (const event of early.splice(0)) write(event);
  };
  const end = (summary: object) => {
    const at = new Date(now()).toISOString();
    if (isDone) return;
    launch(at, { run: null });
    write({ schema: SCHEMA, kind: 'done', at, ...summary });
    isDone = true;
  };
  return {
    onEvent(event: RunEvent) {
      if (isDone) return;
      if (event.kind === 'run-started') {
        const { run, planned, toRun, resumed } = event;
        launch(event.at, { run, planned, toRun, resumed });
      }
      if (isLaunched) write(event);
      else early.push(event);
    },
    done: end,
    close: () => end({ exitCode: null }),
  };
}
