import type { MainExit } from '../engine/engine.ts';
import type { AgentResult } from '../model/attempt.ts';
import type { Ending } from '../model/outcome.ts';

/** Exit codes under which an init process reports that a signal from outside ended its child: 128 + number. */
const ENDED_FROM_OUTSIDE: Readonly<Record<number, string>> = { 137: 'SIGKILL', 143: 'SIGTERM' };

/** How the agent ended, from the engine's own account alone. An unknown exit code stays unknown. */
export function agentResult(exit: MainExit): AgentResult {
  const ending = endingOf(exit);
  const signal = exit.signal ?? (ending === 'killed' ? ENDED_FROM_OUTSIDE[exit.exitCode ?? -1] : undefined);
  return {
    ending,
    exitCode: exit.exitCode,
    ...(signal === undefined ? {} : { signal }),
    durationMs: exit.durationMs,
    ...(exit.endedBy === undefined ? {} : { limit: exit.endedBy === 'timeout' ? 'agent' : 'run' }),
    stdoutBytes: exit.stdoutBytes,
    stderrBytes: exit.stderrBytes,
  };
}

/** The first cause wins: a limit ends the process before its exit code says anything. */
function endingOf(exit: MainExit): Ending {
  if (exit.endedBy === 'timeout') return 'timed-out';
  if (exit.endedBy === 'abort') return 'killed';
  // A child that ran out of memory does not matter to an agent that went on and completed.
  if (exit.exitCode === 0) return 'completed';
  if (exit.outOfMemory) return 'out-of-memory';
  if (exit.exitCode === null || exit.signal !== undefined) return 'killed';
  return ENDED_FROM_OUTSIDE[exit.exitCode] === undefined ? 'crashed' : 'killed';
}
