import type { Readable } from 'node:stream';
import { EngineError } from '../engine.ts';
import type { ApiCall, DockerApi } from './api.ts';
import { engineErrorFrom } from './engine-error.ts';
import { jsonLines } from './json-lines.ts';

const OPERATION = 'list events';
/** What an engine remembers is sent at once; a stream that has told of no end by then will not. */
const MEMORY_MS = 1_000;
/** Its memory is all that it has to look at. */
const ANSWER_MS = 10_000;

interface EngineEvent {
  readonly Action?: string;
}

/**
 * Rejects where a main process that has ended, and that we did not end, did not end by itself. An engine that stops ends its containers by a
 * signal, and what a program then does (exits with 0, say) looks like its own doing. The engine's memory of events tells: who sends
 * a signal by way of the engine is in it, and an engine that was restarted has lost it. `wasAway`: whether the engine was not reached at some time
 * since the start; where it always was, one that remembers no end keeps no events.
 */
export async function requireOwnEnd(api: DockerApi, id: string, wasAway: () => boolean): Promise<void> {
  const actions = await remembered(api, id);
  if (actions?.includes('kill') === true)
    throw lost('the engine ended it: it was stopped, restarted or told to');
  if (actions?.length === 0 && wasAway()) throw lost('the engine was restarted meanwhile');
}

function lost(detail: string): EngineError {
  return new EngineError('wait for container', 'unreachable', detail);
}

/** How a container was ended and that it has ended, as far as the engine remembers; undefined where it does not tell. */
async function remembered(api: DockerApi, id: string): Promise<readonly string[] | undefined> {
  const call: ApiCall = {
    operation: OPERATION,
    method: 'GET',
    path: '/events',
    query: { since: '0', filters: { container: [id], event: ['kill', 'die'] } },
    withinMs: ANSWER_MS,
    again: 'never',
  };
  try {
    return await api.insist({ operation: OPERATION, signal: undefined, again: 'always' }, async () =>
      untilEnd(await api.stream(call)),
    );
  } catch (error) {
    if (error instanceof EngineError && error.kind !== 'unreachable') return undefined;
    throw error;
  }
}

/** The engine goes on to tell what happens from now on, so that the stream has no end of its own. */
async function untilEnd(stream: Readable): Promise<readonly string[]> {
  const actions: string[] = [];
  let isDone = false;
  const stop = () => {
    isDone = true;
    stream.destroy();
  };
  const timer = setTimeout(stop, MEMORY_MS);
  try {
    for await (const { Action = '' } of jsonLines<EngineEvent>(stream)) {
      actions.push(Action);
      if (Action === 'die') break;
    }
  } catch (error) {
    if (!isDone) throw engineErrorFrom(OPERATION, error);
  } finally {
    clearTimeout(timer);
    stop();
  }
  return actions;
}
