import { cpus, hostname, totalmem } from 'node:os';
import { relative } from 'node:path';
import type { EngineInfo } from '../engine/engine.ts';
import type { RunId } from '../model/ids.ts';
import type { Project } from '../model/project.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { Skill } from '../model/skill.ts';
import type { Plan } from '../model/trial.ts';
import { HOME, version } from './version.ts';

/** Pins everything that must be the same for a resumed run to be the same run. */
export function makeLock(from: {
  readonly run: RunId;
  readonly createdAt: Date;
  readonly project: Project;
  readonly plan: Plan;
  readonly part: readonly string[];
  readonly host: EngineInfo;
  readonly baseImages: RunLock['baseImages'];
}): RunLock {
  const { project, plan, host } = from;
  const planned = new Set(plan.trials.map(({ task }) => task));
  const { platform, storageDriver, apiVersion, version: engineVersion } = host;
  return {
    schemaVersion: 1,
    run: from.run,
    createdAt: from.createdAt.toISOString(),
    skillpair: version(),
    experimentPath: project.experimentPath,
    experiment: project.experiment,
    plan,
    part: [...from.part],
    tasks: project.tasks
      .filter(({ id }) => planned.has(id))
      .map(({ id, digest, skills, metadata, dir, format }) => ({
        id,
        digest,
        metadata,
        skills: skills.map(lockedSkill),
        file: `${relative(HOME, dir)}/task.${format === 'native' ? 'yaml' : 'toml'}`,
      })),
    configurations: [...project.configurations],
    harnesses: [...project.harnesses.values()].map(({ manifest, digest }) => ({
      id: manifest.id,
      version: manifest.version,
      digest,
    })),
    verifiersDigest: project.verifiersDigest,
    ...(project.script === undefined ? {} : { scriptDigest: project.script.digest }),
    gates: project.experiment.gates,
    baseImages: from.baseImages,
    engine: { version: engineVersion, apiVersion, platform, storageDriver },
    host: { name: hostname(), cpus: cpus().length, memoryBytes: totalmem() },
  };
}

function lockedSkill({ name, digest, entries }: Skill): RunLock['tasks'][number]['skills'][number] {
  const file = entries.find(({ path }) => path === 'SKILL.md');
  return { name, digest, ...(file === undefined ? {} : { skillFileBytes: file.size }) };
}
