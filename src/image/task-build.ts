import { join } from 'node:path';
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import type { Task } from '../model/task.ts';
import { listContext, readEntries } from './context-entries.ts';
import type { Dockerfile } from './dockerfile.ts';
import { baseEdits, dockerfileBases } from './dockerfile-bases.ts';
import type { ImageRecipe } from './image-recipe.ts';
import { checkSources, resolveBases } from './plain-recipe.ts';
import { readDockerfile } from './read-dockerfile.ts';
import type { ResolveBase, ResolvedBase } from './resolved-base.ts';
import { type BuildInput, type SkillFreeContext, skillFreeContext } from './skill-free-context.ts';

/** What a task's environment says, and the build that follows where all its bases are there. */
export interface TaskReading {
  readonly dockerfile: Dockerfile;
  /** Undefined where a resolver that only looks did not find a base. */
  readonly ready: TaskBuild | undefined;
}

/** A task's image, ready to be built in either way. */
export interface TaskBuild {
  readonly context: SkillFreeContext;
  /** Without Skills from the first step on. */
  readonly skillFree: ImageRecipe;
  /** With Skills, which the last layer deletes. */
  readonly deleted: ImageRecipe;
}

/** What reading a task's environment needs. */
export interface TaskBuildTools {
  readonly resolve: ResolveBase<ResolvedBase | undefined>;
  readonly platform: string;
  /** The task's own limit on its build, times this. */
  readonly timeFactor: number;
}

/** Reads a task's environment; all that would stop the build is told at once, with places. */
export async function readTaskBuild(
  task: Task,
  { resolve, platform, timeFactor }: TaskBuildTools,
  signal: AbortSignal,
): Promise<Result<TaskReading, readonly Problem[]>> {
  const { contextDir, dockerfile: file, buildTimeoutMs, skillsPath } = task.environment;
  const dockerfile = await readDockerfile(join(contextDir, file));
  if (!dockerfile.ok) return dockerfile;
  const listed = await listContext(contextDir);
  const bases = await resolveBases(dockerfile.value, resolve, signal);
  if (bases === undefined) {
    // Not knowing the bases, only what does not depend on them can be said.
    const checked = checkSources(dockerfile.value, listed, new Map());
    return checked.ok ? ok({ dockerfile: dockerfile.value, ready: undefined }) : checked;
  }
  const checked = checkSources(dockerfile.value, listed, bases);
  if (!checked.ok) return checked;
  const entries = await readEntries(contextDir, listed);
  const edits = baseEdits(dockerfileBases(dockerfile.value), bases);
  const context = skillFreeContext({
    dockerfile: dockerfile.value,
    stages: checked.value,
    entries,
    skillsPath,
    baseEdits: edits,
  });
  const recipe = ({ entries: sent, text }: BuildInput): ImageRecipe => ({
    purpose: 'task',
    subject: task.id,
    entries: sent,
    text,
    bases: [...bases.values()].map(({ info }) => info.id),
    platform,
    timeoutMs: buildTimeoutMs * timeFactor,
  });
  const ready = { context, skillFree: recipe(context.skillFree), deleted: recipe(context.deleted) };
  return ok({ dockerfile: dockerfile.value, ready });
}
