import { setTimeout as sleep } from 'node:timers/promises';
import type { DockerApi } from './api.ts';
import type { InspectState } from './exit-state.ts';

/** Between the end of a process's output and the first question whether it has ended, and between two such. */
const ASK_MS = 2_000;

/**
 * Resolves when the engine says that a main process has ended: it is asked to tell, and, where the output has ended (`output` has settled) and
 * it still has not told, it is asked how the process stands. An answer that never comes thus holds nobody up.
 */
export async function watchExit(api: DockerApi, id: string, output: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  try {
    await Promise.race([told(api, id, signal), asked(api, id, { output, signal })]);
  } finally {
    done.abort();
  }
}

async function told(api: DockerApi, id: string, signal: AbortSignal): Promise<void> {
  await api.run({
    operation: 'wait for container',
    method: 'POST',
    path: `/containers/${id}/wait`,
    withinMs: Number.POSITIVE_INFINITY,
    again: 'always',
    signal,
  });
}

async function asked(
  api: DockerApi,
  id: string,
  { output, signal }: { readonly output: Promise<unknown>; readonly signal: AbortSignal },
): Promise<void> {
  await output.catch(() => undefined);
  do {
    await sleep(ASK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
  } while ((await inspectState(api, id, signal)).Running);
}

/** How the engine says that a container's main process stands. */
export async function inspectState(api: DockerApi, id: string, signal?: AbortSignal): Promise<InspectState> {
  const { State } = await api.json<{ State: InspectState }>({
    operation: 'inspect container',
    method: 'GET',
    path: `/containers/${id}/json`,
    ...(signal === undefined ? {} : { signal }),
  });
  return State;
}
