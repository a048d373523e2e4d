import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError, type ImageId } from '../engine/engine.ts';
import { idleContainer } from '../image/image-index.ts';
import { attemptLabels } from './container-specs.ts';
import { releasing } from './release.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import { UnverifiableWork } from './unverifiable-work.ts';

const PREPARED = /^(create container|put into )/;
const CONTROL_MS = 60_000;

/**
 * Verifies a snapshot, and tells a container that an agent has left unfit to start (its working directory a file, no shell) from an
 * engine that cannot start any: where one of the untouched image starts meanwhile, and the snapshot's fails twice, the agent did it. Then
 * it throws {@link UnverifiableWork}, else whatever went wrong.
 */
export async function blamingStarts<T>(
  services: TrialServices,
  input: AttemptInput,
  of: { readonly image: ImageId; readonly verify: () => Promise<T> },
): Promise<T> {
  const first = await tried(of.verify);
  if (first.fault === undefined) return first.value;
  if (!(await pristineStarts(services, input, of.image))) throw first.fault;
  const second = await tried(of.verify);
  if (second.fault === undefined) return second.value;
  const { fault: cause } = second;
  const detail = `no verifier starts in what the agent left, though one does in the image: ${cause.message}`;
  throw new UnverifiableWork('not-startable', detail, { cause });
}

type Tried<T> = { readonly fault: EngineError } | { readonly fault?: undefined; readonly value: T };

/** Rejects with all that is no fault of a start. */
async function tried<T>(verify: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await verify() };
  } catch (error) {
    if (isStartFault(error)) return { fault: error };
    throw error;
  }
}

function isStartFault(error: unknown): error is EngineError {
  if (!(error instanceof EngineError)) return false;
  if (error.operation === 'start container') return error.kind === 'other' || error.kind === 'not-found';
  return error.kind === 'other' && PREPARED.test(error.operation);
}

async function pristineStarts(
  services: TrialServices,
  input: AttemptInput,
  image: ImageId,
): Promise<boolean> {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-control-'));
  try {
    const spec = { ...idleContainer(image, 'control'), labels: attemptLabels(services, input, 'control') };
    const container = await services.engine.createContainer(spec, input.stop);
    await using _container = releasing(container, input.leftBehind);
    await container.runMain({
      stdoutPath: join(dir, 'stdout.log'),
      stderrPath: join(dir, 'stderr.log'),
      timeoutMs: CONTROL_MS,
      graceMs: 0,
      signal: input.stop,
    });
    return true;
  } catch {
    return false;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
