/** The part of the engine's record of a container that tells how its main process stands. */
export interface InspectState {
  readonly Running: boolean;
  readonly ExitCode: number | null;
  readonly Status?: string;
  readonly OOMKilled?: boolean;
  readonly StartedAt?: string;
  readonly Error?: string;
}

/** How a main process stands. `killed` without a signal: the engine names none. */
export type ExitState =
  | { readonly kind: 'not-started' }
  | { readonly kind: 'running' }
  | { readonly kind: 'exited'; readonly exitCode: number; readonly outOfMemory: boolean }
  | { readonly kind: 'killed'; readonly signal?: string }
  | { readonly kind: 'out-of-memory' };

/** Codes (128 + number) of the two signals by which one process ends another; the rest are crashes of its own making. */
const ENDED_BY_SIGNAL = new Map([
  [137, 'SIGKILL'],
  [143, 'SIGTERM'],
]);
const NEVER = '0001-01-01T00:00:00Z';

/**
 * Reads the engine's record. A missing exit code is never 0: it is a state of its own. A program that itself exits
 * with 137 or 143 looks to the engine as one that was killed, and counts as such.
 */
export function exitState(state: InspectState): ExitState {
  if (state.Running) return { kind: 'running' };
  if (!hasStarted(state)) return { kind: 'not-started' };
  const { ExitCode: exitCode } = state;
  const outOfMemory = state.OOMKilled === true && exitCode !== 0;
  if (outOfMemory && (exitCode === null || exitCode === 137)) return { kind: 'out-of-memory' };
  if (exitCode === null) return { kind: 'killed' };
  const signal = ENDED_BY_SIGNAL.get(exitCode);
  return signal === undefined ? { kind: 'exited', exitCode, outOfMemory } : { kind: 'killed', signal };
}

/** Status is the engine's word; without it a null code with no start time, or nothing that hints at an end, is no start. */
function hasStarted({ Status, StartedAt, ExitCode, OOMKilled }: InspectState): boolean {
  if (Status === 'created') return false;
  if (StartedAt === NEVER) return false;
  return Status !== undefined || StartedAt !== undefined || ExitCode !== null || OOMKilled === true;
}
