import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { dockerfileBases } from '../../image/dockerfile-bases.ts';
import { readDockerfile } from '../../image/read-dockerfile.ts';
import type { Project } from '../../model/project.ts';
import type { Task } from '../../model/task.ts';
import { renderTask, type ShownTask } from '../../report/task-card.ts';
import { grantLimits } from '../../run/limits.ts';
import { engineIfAny } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { CANARY_EXPERIMENT, loadExperiment, warnings } from '../load-experiment.ts';
import { readOneTask } from '../read-tasks.ts';
import { lookAtStates, type SeenTask } from '../task-state.ts';

/** `skillpair task show`: all that was understood of one task. Limits are clamped to the engine's host, or to this one. */
export async function taskShowCommand(
  environment: Environment,
  [given = '']: readonly string[],
  flags: { readonly skills?: string; readonly json: boolean },
): Promise<number> {
  const only = await readOneTask(environment.cwd, given, flags.skills);
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  const reached = await engineIfAny(environment);
  const [seen] = await lookAtStates([only], project, reached?.engine);
  if (seen === undefined) throw new Error('a task that was read is looked at');
  const host = reached?.host ?? { cpus: cpus().length, memoryBytes: totalmem() };
  const shown = await shownTask(seen, project, host);
  if (flags.json)
    say(environment.stdout, canonicalJson({ schemaVersion: 1, ...shown, problems: seen.problems }));
  else {
    say(environment.stdout, renderTask(shown));
    environment.stderr.stream.write(warnings(environment, seen.problems));
  }
  return EXIT.ok;
}

async function shownTask(
  { name, dir, format, state, loaded }: SeenTask,
  project: Project,
  host: { readonly cpus: number; readonly memoryBytes: number },
): Promise<ShownTask> {
  const task = loaded.task ?? loaded.refused;
  const common = { id: name, dir, format, state };
  if (task === undefined) return { ...common, understood: undefined };
  return {
    ...common,
    understood: {
      digest: task.digest,
      metadata: task.metadata,
      instruction: sizeOf(task.instruction),
      environment: task.environment,
      limits: grantLimits(task, host),
      user: task.agent.user,
      verifier: task.verifier,
      hasSolution: task.solution !== undefined,
      skills: task.skills.map(({ name: skill, digest, entries }) => ({
        name: skill,
        digest,
        files: entries.filter(({ kind }) => kind === 'file').length,
      })),
      looseSkillFiles: task.looseSkillFiles.map(({ path }) => path),
      bases: await basesOf(task, project),
    },
  };
}

function sizeOf(text: string) {
  return { characters: text.length, lines: text.trimEnd().split('\n').length };
}

async function basesOf(task: Task, project: Project) {
  const { contextDir, dockerfile } = task.environment;
  const parsed = await readDockerfile(join(contextDir, dockerfile));
  if (!parsed.ok) return [];
  const { substitute } = project.experiment.images;
  return dockerfileBases(parsed.value).map(({ name, line, platform }) => ({
    name,
    line,
    ...(platform === undefined ? {} : { platform }),
    ...(substitute[name] === undefined ? {} : { substitute: substitute[name] }),
  }));
}
