import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import { EngineError } from '../engine/engine.ts';
import { Fault } from '../model/fault.ts';
import type { BuiltImage, ImageBuilder } from './image-builder.ts';
import { type ImageRecipe, recipeDigest } from './image-recipe.ts';
import type { TaskBuild } from './task-build.ts';

/** How the Skills were kept out: never put in, or put in for the build and then deleted. */
export interface BuildWay {
  readonly way: 'skill-free' | 'deleted';
  /** Why it had to be `deleted`. */
  readonly reason: string | undefined;
}

/** What building a task's image needs. */
export interface TaskImageTools {
  readonly builder: ImageBuilder;
  readonly cacheDir: string;
}

/**
 * Builds the one image of all arms. Where a step turns out to need the Skills it is built with them, which are deleted
 * last; that finding is kept in the cache, so that the failing build is not tried again.
 */
export async function buildTaskImage(
  { builder, cacheDir }: TaskImageTools,
  build: TaskBuild,
  signal: AbortSignal,
): Promise<{ readonly built: BuiltImage } & BuildWay> {
  const way = await knownWay(cacheDir, build);
  if (way.way === 'deleted') return { built: await builder.build(build.deleted, signal), ...way };
  const started = performance.now();
  try {
    return { built: await builder.build(build.skillFree, signal), ...way };
  } catch (error) {
    const isOutOfTime = performance.now() - started >= build.skillFree.timeoutMs;
    const step = isOutOfTime ? undefined : stepThatMayNeedSkills(build, error);
    if (step === undefined) throw error;
    const reason = `the build without Skills fails at ${step}`;
    const built = await builder.build(build.deleted, signal);
    await rememberWay(cacheDir, build.skillFree, reason);
    return { built, way: 'deleted', reason };
  }
}

/** The way as far as it is known without building. */
export async function knownWay(cacheDir: string, build: TaskBuild): Promise<BuildWay> {
  const { skillUse } = build.context;
  if (skillUse !== undefined) return { way: 'deleted', reason: skillUse };
  const kept = await readFile(wayFile(cacheDir, build.skillFree), 'utf8').catch(() => undefined);
  return kept === undefined ? { way: 'skill-free', reason: undefined } : { way: 'deleted', reason: kept };
}

/** Which recipe a way stands for. */
export function recipeOf(build: TaskBuild, { way }: BuildWay): ImageRecipe {
  return way === 'deleted' ? build.deleted : build.skillFree;
}

async function rememberWay(cacheDir: string, recipe: ImageRecipe, reason: string): Promise<void> {
  const path = wayFile(cacheDir, recipe);
  await mkdir(dirname(path), { recursive: true });
  await atomicWrite(path, reason);
}

function wayFile(cacheDir: string, recipe: ImageRecipe): string {
  return join(cacheDir, 'needs-skills', recipeDigest(recipe).slice('sha256:'.length));
}

/** The failed step, when it comes after a copy of Skills and could have used them. */
function stepThatMayNeedSkills(build: TaskBuild, error: unknown): string | undefined {
  if (!(error instanceof Fault) || !(error.cause instanceof EngineError)) return undefined;
  if (error.cause.kind !== 'build-failed') return undefined;
  const step = /\bStep (\d+)\/\d+ : ((RUN|COPY|ADD)\b[^\n]*)/i.exec(error.cause.message);
  const copied = Math.min(...build.context.skillCopies.map(({ step: copy }) => copy.instruction.ordinal));
  if (step === null || Number(step[1]) <= copied) return undefined;
  return `step ${step[1]}, ${(step[2] ?? '').slice(0, 120)}`;
}
