import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container, MainExit } from '../engine/engine.ts';
import { Fault } from '../model/fault.ts';
import type { ModelAccess } from './model-access.ts';
import { noticeOutputFault } from './output-fault.ts';
import type { AttemptInput } from './trial-context.ts';

/** Between TERM and kill when an agent has used up its time. */
export const AGENT_GRACE_MS = 5000;

/** What an agent's process left on the host, and how the engine says it ended. */
export interface AgentStreams {
  /** Host folder of the agent's evidence. */
  readonly dir: string;
  readonly stdoutPath: string;
  readonly stderrPath: string;
  readonly exit: MainExit;
}

/** Starts the agent as the container's main process and waits for its end, or for that of its budget. */
export async function driveAgent(
  input: AttemptInput,
  container: Container,
  models: ModelAccess | undefined,
): Promise<AgentStreams> {
  const { stop } = input;
  const dir = join(input.evidenceDir, 'agent');
  await mkdir(dir, { recursive: true });
  refuseLost(models);
  const paths = { stdoutPath: join(dir, 'stdout.log'), stderrPath: join(dir, 'stderr.log') };
  const exit = await container.runMain({
    ...paths,
    timeoutMs: input.task.agent.timeoutMs,
    graceMs: AGENT_GRACE_MS,
    signal: models === undefined ? stop : AbortSignal.any([stop, models.access.exhausted, models.way.lost]),
  });
  // From here on the agent's token means nothing: what it left running cannot ask a model any more.
  await models?.access[Symbol.asyncDispose]();
  stop.throwIfAborted();
  refuseLost(models);
  noticeOutputFault(input, 'agent', exit);
  return { dir, ...paths, exit };
}

/** What an agent did whose way to its model broke says nothing of the agent. */
function refuseLost(models: ModelAccess | undefined): void {
  if (models?.way.lost.aborted !== true) return;
  const detail = `the relay at ${models.way.place}, by which the agent reached the model gateway, was lost`;
  throw new Fault('runtime-lost', 'agent', detail);
}
