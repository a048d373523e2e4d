import type { ExitState } from './exit-state.ts';
import type { OutputCount } from './pump-output.ts';

/** What the engine's own init says, alone, when it cannot execute the command; longer output is somebody else's. */
const INIT_FAILURE = /^\[FATAL tini \(\d+\)\] (exec .* failed: .*)\r?\n$/;
/** No more than this of the errors needs to be known. */
export const LONGEST_LINE = 4096;

/**
 * The command could not be executed at all: with an init the engine's start call succeeds even so, and the init
 * ends with 126 or 127 after one line of its own. A program that ends with these codes by itself is no start failure.
 */
export async function startFailure(
  state: ExitState,
  run: { readonly count: OutputCount; readonly firstErrors: () => Promise<string> },
): Promise<string | undefined> {
  if (state.kind === 'not-started' || state.kind === 'running') {
    return `the engine says that it is ${state.kind === 'running' ? 'still running' : 'not started'}`;
  }
  if (state.kind !== 'exited' || (state.exitCode !== 127 && state.exitCode !== 126)) return undefined;
  const { stdout, stderr } = run.count;
  if (stdout > 0 || stderr === 0 || stderr > LONGEST_LINE) return undefined;
  return INIT_FAILURE.exec(await run.firstErrors())?.[1];
}
