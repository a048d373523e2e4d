import { originalError } from '../base/original-error.ts';
import { EngineError, type EngineErrorKind } from '../engine/engine.ts';
import { Fault } from '../model/fault.ts';
import type { Unscored, UnscoredReason } from '../model/outcome.ts';
import type { Phase } from '../model/phase.ts';

const LOST: ReadonlySet<EngineErrorKind> = new Set(['unreachable', 'not-found', 'protocol']);
/** What a build can be at fault for; all else that goes wrong while one is looked for or made is the engine's. */
const BUILDS: ReadonlySet<EngineErrorKind> = new Set(['build-failed', 'platform', 'aborted']);

/** What an exception inside a phase means for the trial. An exception of no known kind is a fault of skillpair itself. */
export function unscoredFrom(caught: unknown, phase: Phase, stopped: boolean): Unscored {
  const error = originalError(caught);
  if (stopped) return { kind: 'unscored', reason: 'cancelled', phase, detail: 'the run was stopped' };
  if (error instanceof Fault) {
    return { kind: 'unscored', reason: error.reason, phase: error.phase, detail: error.message };
  }
  if (error instanceof EngineError) {
    return { kind: 'unscored', reason: engineReason(error.kind, phase), phase, detail: error.message };
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'unscored', reason: 'internal', phase, detail };
}

/** The failed engine call behind an exception, also where a fault was made of it. */
export function engineErrorIn(caught: unknown): EngineError | undefined {
  const error = originalError(caught);
  if (error instanceof EngineError) return error;
  return error instanceof Fault && error.cause instanceof EngineError ? error.cause : undefined;
}

function engineReason(kind: EngineErrorKind, phase: Phase): UnscoredReason {
  if (kind === 'unreachable') return 'runtime-lost';
  if (kind === 'no-space' || kind === 'no-addresses') return 'start-failed';
  if (phase === 'build') return BUILDS.has(kind) ? 'build-failed' : 'runtime-lost';
  return LOST.has(kind) && phase !== 'start' ? 'runtime-lost' : 'start-failed';
}
