import { join } from 'node:path';
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import type { Task } from '../model/task.ts';
import { readContext } from './context-entries.ts';
import type { Dockerfile } from './dockerfile.ts';
import { baseEdits, dockerfileBases } from './dockerfile-bases.ts';
import type { ImageRecipe } from './image-recipe.ts';
import { checkSources, resolveBases } from './plain-recipe.ts';
import { readDockerfile } from './read-dockerfile.ts';
import type { ResolveBase, ResolvedBase } from './resolved-base.ts';
import { type BuildInput, type SkillFreeContext, skillFreeContext } from './skill-free-context.ts';

/** A task's image, ready to be built in either way. */
export interface TaskBuild {
  readonly dockerfile: Dockerfile;
  readonly context: SkillFreeContext;
  /** Without Skills from the first step on. */
  readonly skillFree: ImageRecipe;
  /** With Skills, which the last layer deletes. */
  readonly deleted: ImageRecipe;
}

/** Reads a task's environment. `ok: undefined` when a base is not there (a resolver that only looks). */
export async function readTaskBuild(
  task: Task,
  { resolve, platform }: { resolve: ResolveBase<ResolvedBase | undefined>; platform: string },
  signal: AbortSignal,
): Promise<Result<TaskBuild | undefined, readonly Problem[]>> {
  const { contextDir, dockerfile: file, buildTimeoutMs, skillsPath } = task.environment;
  const dockerfile = await readDockerfile(join(contextDir, file));
  if (!dockerfile.ok) return dockerfile;
  const entries = await readContext(contextDir);
  const bases = await resolveBases(dockerfile.value, resolve, signal);
  if (bases === undefined) {
    // Not knowing the bases, only what does not depend on them can be said.
    const checked = checkSources(dockerfile.value, entries, new Map());
    return checked.ok ? ok(undefined) : checked;
  }
  const checked = checkSources(dockerfile.value, entries, bases);
  if (!checked.ok) return checked;
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
    timeoutMs: buildTimeoutMs,
  });
  return ok({
    dockerfile: dockerfile.value,
    context,
    skillFree: recipe(context.skillFree),
    deleted: recipe(context.deleted),
  });
}
