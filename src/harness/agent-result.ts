import type { MainExit } from '../engine/main-process.ts';
import type { AgentResult } from '../model/attempt.ts';
import type { Ending } from '../model/outcome.ts';

/** Exit codes under which an init process reports that a signal from outside ended its child: 128 + number. */
const ENDED_FROM_OUTSIDE: Readonly<Record<number, string>> = { 137: 'SIGKILL', 143: 'SIGTERM' };

/** How the agent ended, from the engine's own account alone. An unknown exit code stays unknown. */
export function agentResult(
  exit: MainExit,
  { isOverStorage }: { readonly isOverStorage: boolean } = { isOverStorage: false },
): AgentResult {
  const limit = limitOf(exit, isOverStorage);
  const ending = endingOf(exit, limit);
  const signal = exit.signal ?? (ending === 'killed' ? ENDED_FROM_OUTSIDE[exit.exitCode ?? -1] : undefined);
  return {
    ending,
    exitCode: exit.exitCode,
    ...(signal === undefined ? {} : { signal }),
    durationMs: exit.durationMs,
    ...(limit === undefined ? {} : { limit }),
    stdoutBytes: exit.stdoutBytes,
    stderrBytes: exit.stderrBytes,
  };
}

function limitOf({ endedBy }: MainExit, isOverStorage: boolean): AgentResult['limit'] {
  if (isOverStorage) return 'storage';
  if (endedBy === undefined) return undefined;
  return ({ timeout: 'agent', abort: 'run', output: 'output' } as const)[endedBy];
}

/** The first cause wins: a limit ends the process before its exit code says anything. */
function endingOf(exit: MainExit, limit: AgentResult['limit']): Ending {
  if (limit === 'agent') return 'timed-out';
  if (limit === 'output' || limit === 'storage') return 'out-of-space';
  if (limit === 'run') return 'killed';
  // A child that ran out of memory does not matter to an agent that went on and completed.
  if (exit.exitCode === 0) return 'completed';
  if (exit.outOfMemory) return 'out-of-memory';
  if (exit.exitCode === null || exit.signal !== undefined) return 'killed';
  return ENDED_FROM_OUTSIDE[exit.exitCode] === undefined ? 'crashed' : 'killed';
}
