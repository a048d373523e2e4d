import { join } from 'node:path';
import type { Container } from '../engine/engine.ts';
import { agentResult } from '../harness/agent-result.ts';
import type { HarnessReading } from '../harness/harness.ts';
import { writeTrajectory } from '../harness/trajectory-files.ts';
import type { AgentResult } from '../model/attempt.ts';
import { fillPlaceholders, type PlaceholderValues } from '../model/placeholders.ts';
import type { AgentStreams } from './drive-agent.ts';
import type { ModelAccess } from './model-access.ts';
import { fetchSessionFiles } from './session-files.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';

/** Reads what an agent that has ended left in its streams, its session files and at the gateway. */
export async function readAgent(
  services: TrialServices,
  input: AttemptInput,
  from: {
    readonly container: Container;
    readonly streams: AgentStreams;
    readonly models: ModelAccess | undefined;
    readonly values: PlaceholderValues;
  },
): Promise<{ readonly agent: AgentResult; readonly reading: HarnessReading }> {
  const { streams, models } = from;
  const { manifest } = input.harness;
  const sessionDir = join(streams.dir, 'session');
  const paths = manifest.sessionPaths.map((path) => fillPlaceholders(path, from.values));
  await fetchSessionFiles(from.container, { paths, dir: sessionDir, notice: input.notice }, input.stop);
  const agent = agentResult(streams.exit, streams);
  const { skills } = input.task;
  const reading = await services.readerFor(manifest.trajectory).read({
    ...streams,
    agent,
    skills,
    staged: input.trial.condition === 'no-skills' ? [] : skills.map(({ name }) => name),
    ownSkills: manifest.ownSkills,
    sessionDir,
    firstRequestPath: join(streams.dir, 'first-request.json'),
    ...(models === undefined ? {} : { modelUse: models.access.use() }),
  });
  for (const notice of reading.notices ?? []) input.notice(notice);
  if (reading.trajectory !== undefined) await writeTrajectory(streams.dir, reading.trajectory);
  const { limit = agent.limit } = reading;
  return { agent: { ...agent, ending: reading.ending, ...(limit === undefined ? {} : { limit }) }, reading };
}
