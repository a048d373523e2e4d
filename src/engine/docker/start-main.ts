import { EngineError } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { exitState } from './exit-state.ts';
import { inspectState } from './watch-exit.ts';

const OPERATION = 'start container';
/** Starting waits for the engine alone; one that takes longer has gone away. */
const START_BUDGET_MS = 300_000;

/**
 * Starts a container's main process, once: where the answer got lost, the engine is asked whether it has been started, since a second
 * start of a process that has ended already would run it again. Never cut short by the caller: a half-made start leaves a process that nobody
 * waits for.
 */
export function startMain(api: DockerApi, id: string): Promise<void> {
  return api.insist({ operation: OPERATION, signal: undefined, again: 'always' }, async () => {
    try {
      await api.run({
        operation: OPERATION,
        method: 'POST',
        path: `/containers/${id}/start`,
        withinMs: START_BUDGET_MS,
        again: 'never',
      });
    } catch (error) {
      if (!(error instanceof EngineError && error.kind === 'unreachable')) throw error;
      if (exitState(await inspectState(api, id)).kind === 'not-started') throw error;
    }
  });
}
