import type { ImageStore } from '../image/image-store.ts';
import type { Emit, RunEvent } from '../model/event.ts';
import type { Project } from '../model/project.ts';
import { type FanOut, fanOut } from '../report/fan-out.ts';
import type { DoneSummary } from '../report/json-lines.ts';
import { imageStore, type ReachedEngine } from './compose.ts';
import { type Environment, say } from './environment.ts';
import type { HowFlags } from './flags.ts';
import { type Interrupts, watchInterrupts } from './interrupts.ts';
import { reporterFor } from './reporter-for.ts';

/** What lives as long as one `run` or `resume`: reporters, signals, the image store and where events go. */
export interface Session extends AsyncDisposable {
  readonly emit: Emit;
  readonly reporters: FanOut;
  /** Tells programs how it ended; does nothing for people. */
  readonly done: (summary: DoneSummary) => void;
  readonly interrupts: Interrupts;
  readonly images: ImageStore;
  /** Where events are kept, once there is a run folder; what came earlier is handed over then. */
  keepIn(journal: { append(event: RunEvent): void }): void;
  /** The journal cannot be written: stop, since what is not recorded has not happened. */
  readonly broken: (error: Error) => void;
  /** What was given to `broken`. */
  failure(): Error | undefined;
}

/** Opens a session; disposing closes the display and gives the signals back. */
export function openSession(from: {
  readonly environment: Environment;
  readonly flags: HowFlags;
  readonly reached: ReachedEngine;
  readonly project: Project;
}): Session {
  const { environment, flags, reached } = from;
  const { display, done } = reporterFor(environment, flags);
  const reporters = fanOut({ display });
  const interrupts = watchInterrupts(environment, (line) => say(environment.stderr, line));
  const early: RunEvent[] = [];
  let failure: Error | undefined;
  let journal: { append(event: RunEvent): void } | undefined;
  const emit: Emit = (event) => {
    if (journal === undefined) early.push(event);
    else journal.append(event);
    reporters.onEvent(event);
  };
  reached.onTrouble((message) =>
    emit({ kind: 'notice', at: environment.now().toISOString(), message: `container engine: ${message}` }),
  );
  return {
    emit,
    reporters,
    done,
    interrupts,
    images: imageStore(environment, reached.engine, {
      project: from.project,
      emit,
      stop: interrupts.stop.signal,
    }),
    keepIn: (kept) => {
      journal = kept;
      for (const event of early.splice(0)) kept.append(event);
    },
    broken: (error) => {
      failure ??= error;
      interrupts.stop.abort();
    },
    failure: () => failure,
    [Symbol.asyncDispose]: async () => {
      interrupts[Symbol.dispose]();
      await reporters.close();
    },
  };
}
