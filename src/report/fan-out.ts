import type { RunEvent } from '../model/event.ts';
import type { Reporter } from './reporter.ts';

/** A reporter that broke, and how. */
export interface ReporterFault {
  readonly reporter: string;
  readonly cause: unknown;
}

/** Many reporters as one. `faults` tells which broke; a caller that finds any must say so and must not exit with 0. */
export interface FanOut extends Reporter {
  readonly faults: readonly ReporterFault[];
  close(): Promise<void>;
}

/**
 * Hands each event to every reporter. One that throws is heard no more (but still closed), is remembered in `faults`,
 * and the others are told by a notice: it can neither break the run nor fail in silence. Never throws, never rejects.
 * Closing closes each reporter once, however often it is asked for: a display closed twice would draw over what followed it.
 */
export function fanOut(reporters: Readonly<Record<string, Reporter>>): FanOut {
  const listening = new Map(Object.entries(reporters));
  const faults: ReporterFault[] = [];
  const onEvent = (event: RunEvent): void => {
    for (const [name, reporter] of listening) {
      try {
        reporter.onEvent(event);
      } catch (cause) {
        listening.delete(name);
        faults.push({ reporter: name, cause });
        onEvent({
          kind: 'notice',
          at: event.at,
          message: `the ${name} reporter broke and is off: ${reasonOf(cause)}`,
        });
      }
    }
  };
  const closeAll = async (): Promise<void> => {
    for (const [name, reporter] of Object.entries(reporters)) {
      try {
        await reporter.close();
      } catch (cause) {
        faults.push({ reporter: name, cause });
      }
    }
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };
  return { onEvent, close, faults };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
