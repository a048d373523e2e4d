import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from '../engine/engine.ts';
import type { MainExit } from '../engine/main-process.ts';
import { Fault } from '../model/fault.ts';
import type { ModelAccess } from './model-access.ts';
import { noticeOutputFault } from './output-fault.ts';
import { onRoomyDisk } from './roomy-disk.ts';
import { type FreeSpace, watchStorage } from './storage-watch.ts';
import type { AttemptInput } from './trial-context.ts';

/** Between TERM and kill when an agent has used up its time. */
export const AGENT_GRACE_MS = 5000;

/** Most bytes that an agent or a verifier may write to its streams, both together. */
export const OUTPUT_LIMIT_BYTES = 2 ** 30;

/** What an agent's process left on the host, and how the engine says it ended. */
export interface AgentStreams {
  /** Host folder of the agent's evidence. */
  readonly dir: string;
  readonly stdoutPath: string;
  readonly stderrPath: string;
  readonly exit: MainExit;
  /** It was ended since its container had written more than it may. */
  readonly isOverStorage: boolean;
}

/** How much an agent's container may write, and how the disk is seen that it writes to. */
export interface StorageLimit {
  readonly limitBytes: number;
  readonly freeSpace: FreeSpace;
  /** Volumes of its image. */
  readonly volumes: readonly string[];
}

/** Starts the agent as the container's main process and waits for its end, or for that of its budget. */
export async function driveAgent(
  input: AttemptInput,
  container: Container,
  { models, storage }: { readonly models: ModelAccess | undefined; readonly storage: StorageLimit },
): Promise<AgentStreams> {
  const { stop } = input;
  const dir = join(input.evidenceDir, 'agent');
  await mkdir(dir, { recursive: true });
  refuseLost(models);
  const paths = { stdoutPath: join(dir, 'stdout.log'), stderrPath: join(dir, 'stderr.log') };
  using watch = watchStorage(container, storage);
  const cut = models === undefined ? [stop] : [stop, models.access.exhausted, models.way.lost];
  const run = () =>
    container.runMain({
      ...paths,
      timeoutMs: input.task.agent.timeoutMs,
      graceMs: AGENT_GRACE_MS,
      outputLimitBytes: OUTPUT_LIMIT_BYTES,
      signal: AbortSignal.any([...cut, watch.over]),
    });
  const exit = await onRoomyDisk({ ...storage, container, signal: stop }, run);
  // From here on the agent's token means nothing: what it left running cannot ask a model any more.
  await models?.access[Symbol.asyncDispose]();
  stop.throwIfAborted();
  refuseLost(models);
  noticeOutputFault(input, 'agent', exit);
  const broken = watch.fault();
  if (broken !== undefined) throw broken;
  const isOverStorage = exit.endedBy === 'abort' && watch.over.aborted && !cut.some(({ aborted }) => aborted);
  return { dir, ...paths, exit, isOverStorage };
}

/** What an agent did whose way to its model broke says nothing of the agent. */
function refuseLost(models: ModelAccess | undefined): void {
  if (models?.way.lost.aborted !== true) return;
  const detail = `the relay at ${models.way.place}, by which the agent reached the model gateway, was lost`;
  throw new Fault('runtime-lost', 'agent', detail);
}
