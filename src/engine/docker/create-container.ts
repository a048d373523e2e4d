import { type Container, type ContainerSpec, EngineError } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { createBody } from './create-body.ts';
import { DockerContainer } from './docker-container.ts';

const OPERATION = 'create container';
/** A create call does not wait for anything but the engine's own disk. */
const CREATE_BUDGET_MS = 300_000;

/**
 * Creates a container. The call is never cut short, since the engine would finish it all the same and nobody would
 * own the result: when `signal` fires meanwhile, the container is removed as soon as it is there.
 */
export async function createContainer(
  api: DockerApi,
  spec: ContainerSpec,
  signal: AbortSignal,
): Promise<Container> {
  if (signal.aborted) throw aborted();
  const id = await create(api, spec);
  const container = new DockerContainer(api, id, spec);
  if (!signal.aborted) return container;
  await container.remove();
  throw aborted();
}

function create(api: DockerApi, spec: ContainerSpec): Promise<string> {
  return api.insist({ operation: OPERATION, signal: undefined, again: 'always' }, async () => {
    try {
      const answer = await api.json<{ Id: string }>({
        operation: OPERATION,
        method: 'POST',
        path: '/containers/create',
        query: { name: spec.name },
        body: createBody(spec),
        withinMs: CREATE_BUDGET_MS,
        again: 'never',
      });
      return answer.Id;
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'unreachable') await removeUnanswered(api, spec);
      throw error;
    }
  });
}

/** The answer got lost, the container may be there: it is ours if it has the name and all the labels. */
async function removeUnanswered(api: DockerApi, spec: ContainerSpec): Promise<void> {
  try {
    const found = await api.json<{ Id: string; Config: { Labels: Record<string, string> | null } }>({
      operation: OPERATION,
      method: 'GET',
      path: `/containers/${encodeURIComponent(spec.name)}/json`,
      withinMs: 10_000,
    });
    const labels = Object.entries(spec.labels);
    const ours = labels.length > 0 && labels.every(([key, value]) => found.Config.Labels?.[key] === value);
    if (ours) await new DockerContainer(api, found.Id, spec).remove();
  } catch {
    // The lost answer is the error that counts; what is left carries labels and is found by them.
  }
}

function aborted(): EngineError {
  return new EngineError(OPERATION, 'aborted', 'stopped on request');
}
