import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineError } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { engineErrorFrom } from './engine-error.ts';

const OPERATION = 'remove container';
/** Pauses between goes at a container whose file system the engine still finds busy. */
const BUSY_PAUSES_MS = [100, 400, 1_500];
/** An engine that has not answered by then is asked again: where it is at it, it says so. */
const ASK_AGAIN_MS = 20_000;

/** Removes a container by force with its anonymous volumes; absent is fine, and so is one that is being removed. */
export async function removeContainer(api: DockerApi, id: string, signal: AbortSignal): Promise<void> {
  for (const pause of [...BUSY_PAUSES_MS, undefined]) {
    const error = await tryRemove(api, id, signal);
    if (error === undefined) return;
    if (pause === undefined || !/resource busy|failed to remove root filesystem/i.test(error.message))
      throw error;
    await pauseFor(pause, signal);
  }
}

async function tryRemove(api: DockerApi, id: string, signal: AbortSignal): Promise<EngineError | undefined> {
  try {
    await api.run({
      operation: OPERATION,
      method: 'DELETE',
      path: `/containers/${id}`,
      query: { force: true, v: true },
      withinMs: ASK_AGAIN_MS,
      signal,
    });
    return undefined;
  } catch (cause) {
    const error = engineErrorFrom(OPERATION, cause, signal);
    if (error.kind === 'not-found') return undefined;
    if (error.kind !== 'conflict' || !/already in progress/i.test(error.message)) return error;
    return awaitRemoval(api, id, signal);
  }
}

async function awaitRemoval(
  api: DockerApi,
  id: string,
  signal: AbortSignal,
): Promise<EngineError | undefined> {
  try {
    const path = `/containers/${id}/wait`;
    const call = { operation: OPERATION, method: 'POST', path, query: { condition: 'removed' } } as const;
    await api.run({ ...call, withinMs: Number.POSITIVE_INFINITY, again: 'always', signal });
    return undefined;
  } catch (cause) {
    const error = engineErrorFrom(OPERATION, cause, signal);
    return error.kind === 'not-found' ? undefined : error;
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (cause) {
    throw engineErrorFrom(OPERATION, cause, signal);
  }
}
