import type { RunEvent } from '../model/event.ts';
import type { Phase } from '../model/phase.ts';

/** An attempt that is under way. */
export interface RunningTrial {
  readonly trial: string;
  readonly attempt: number;
  readonly phase: Phase | 'waiting';
  /** Milliseconds since 1970, by the events. */
  readonly startedAtMs: number;
}

/** Where a run stands, kept from its events alone; what progress displays show. */
export interface RunProgress {
  readonly toRun: number;
  readonly finished: number;
  readonly passed: number;
  readonly failed: number;
  readonly unscored: number;
  readonly startedAtMs: number | undefined;
  /** In order of start. */
  readonly running: readonly RunningTrial[];
  readonly building: readonly string[];
}

/** Before the first event. */
export const NO_PROGRESS: RunProgress = {
  toRun: 0,
  finished: 0,
  passed: 0,
  failed: 0,
  unscored: 0,
  startedAtMs: undefined,
  running: [],
  building: [],
};

/** Where the run stands after one more event. */
export function advanced(progress: RunProgress, event: RunEvent): RunProgress {
  switch (event.kind) {
    case 'run-started':
      return { ...progress, toRun: event.toRun, startedAtMs: Date.parse(event.at) };
    case 'build-started':
      return { ...progress, building: [...progress.building, event.what] };
    case 'build-ended':
      return { ...progress, building: progress.building.filter((what) => what !== event.what) };
    case 'trial-started':
      return { ...progress, running: [...others(progress, event), started(event)] };
    case 'phase-started':
      return {
        ...progress,
        running: progress.running.map((one) =>
          one.trial === event.trial ? { ...one, phase: event.phase } : one,
        ),
      };
    case 'trial-ended':
      return event.final ? counted(progress, event) : { ...progress, running: others(progress, event) };
    case 'phase-ended':
    case 'notice':
      return progress;
    case 'run-ended':
      return { ...progress, running: [], building: [] };
  }
}

/**
 * Milliseconds that are left, from the pace so far; `undefined` until 5 % or 10 trials are done, since before that
 * it would be a guess, and when nothing is left.
 */
export function remainingMs(progress: RunProgress, nowMs: number): number | undefined {
  const { finished, toRun, startedAtMs } = progress;
  const isEnough = finished >= 10 || (finished > 0 && finished >= toRun * 0.05);
  if (startedAtMs === undefined || !isEnough || finished >= toRun) return undefined;
  return ((nowMs - startedAtMs) / finished) * (toRun - finished);
}

type TrialEvent = Extract<RunEvent, { attempt: number }>;

function others(progress: RunProgress, event: TrialEvent): RunningTrial[] {
  return progress.running.filter((one) => one.trial !== event.trial);
}

function started({ trial, attempt, at }: TrialEvent): RunningTrial {
  return { trial, attempt, phase: 'waiting', startedAtMs: Date.parse(at) };
}

function counted(progress: RunProgress, event: Extract<RunEvent, { kind: 'trial-ended' }>): RunProgress {
  const { outcome } = event;
  const isPassed = outcome.kind === 'scored' && outcome.verdict.passed;
  return {
    ...progress,
    running: others(progress, event),
    finished: progress.finished + 1,
    passed: progress.passed + (isPassed ? 1 : 0),
    failed: progress.failed + (outcome.kind === 'scored' && !isPassed ? 1 : 0),
    unscored: progress.unscored + (outcome.kind === 'unscored' ? 1 : 0),
  };
}
