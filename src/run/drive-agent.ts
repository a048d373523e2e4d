import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from '../engine/engine.ts';
import { agentResult } from '../harness/agent-result.ts';
import type { HarnessReading } from '../harness/harness.ts';
import type { AgentResult } from '../model/attempt.ts';
import type { ModelAccess } from './model-access.ts';
import { noticeOutputFault } from './output-fault.ts';
import { fillPlaceholders, type PlaceholderValues } from './placeholders.ts';
import { fetchSessionFiles } from './session-files.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';

/** Between TERM and kill when an agent has used up its time. */
export const AGENT_GRACE_MS = 5000;

/** Starts the agent as the container's main process, waits for its end, and reads what it left in its streams. */
export async function driveAgent(
  services: TrialServices,
  input: AttemptInput,
  container: Container,
  from: { readonly models: ModelAccess | undefined; readonly values: PlaceholderValues },
): Promise<{ readonly agent: AgentResult; readonly reading: HarnessReading }> {
  const dir = join(input.evidenceDir, 'agent');
  await mkdir(dir, { recursive: true });
  const streams = { stdoutPath: join(dir, 'stdout.log'), stderrPath: join(dir, 'stderr.log') };
  const exit = await container.runMain({
    ...streams,
    timeoutMs: input.task.agent.timeoutMs,
    graceMs: AGENT_GRACE_MS,
    signal: AbortSignal.any([
      input.stop,
      ...(from.models === undefined ? [] : [from.models.access.exhausted]),
    ]),
  });
  // From here on the agent's token means nothing: what it left running cannot ask a model any more.
  await from.models?.access[Symbol.asyncDispose]();
  input.stop.throwIfAborted();
  noticeOutputFault(input, 'agent', exit);
  const agent = agentResult(exit);
  const { sessionPaths, trajectory } = input.harness.manifest;
  const sessionDir = join(dir, 'session');
  await fetchSessionFiles(
    container,
    {
      paths: sessionPaths.map((path) => fillPlaceholders(path, from.values)),
      dir: sessionDir,
      notice: input.notice,
    },
    input.stop,
  );
  const reader = services.readerFor(trajectory);
  const reading = await reader.read({ ...streams, agent, skills: input.task.skills, sessionDir });
  for (const notice of reading.notices ?? []) input.notice(notice);
  const { limit = agent.limit } = reading;
  return { agent: { ...agent, ending: reading.ending, ...(limit === undefined ? {} : { limit }) }, reading };
}
