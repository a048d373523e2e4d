import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HarnessReading } from '../../../src/harness/harness.ts';
import { trajectoryReader } from '../../../src/harness/registry.ts';
import type { AgentResult } from '../../../src/model/attempt.ts';
import type { HarnessManifest } from '../../../src/model/harness.ts';
import type { Skill } from '../../../src/model/skill.ts';

/** An agent that ended as said. */
export function agent(
  ending: AgentResult['ending'],
  exitCode: number | null,
  more: Partial<AgentResult> = {},
): AgentResult {
  return { ending, exitCode, durationMs: 100, stdoutBytes: 0, stderrBytes: 0, ...more };
}

/** A Skill of that name, without files. */
function skill(name: string): Skill {
  return {
    name,
    title: name,
    description: 'x',
    dir: `/skills/${name}`,
    digest: `sha256:${'0'.repeat(64)}`,
    entries: [],
  };
}

/** Reads `stdout` as a trajectory of the kind, with Skills `alpha` and `beta` injected. */
export async function readTrajectory(
  kind: HarnessManifest['trajectory'],
  stdout: string,
  ended: AgentResult,
): Promise<HarnessReading> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-harness-'));
  try {
    const [stdoutPath, stderrPath] = [join(folder, 'stdout'), join(folder, 'stderr')];
    await writeFile(stdoutPath, stdout);
    await writeFile(stderrPath, '');
    const skills = [skill('alpha'), skill('beta')];
    return await trajectoryReader(kind).read({ stdoutPath, stderrPath, agent: ended, skills });
  } finally {
    await rm(folder, { recursive: true });
  }
}
