import { join } from 'node:path';
import { type Engine, EngineError, type EngineErrorKind, type ImageInfo, LABEL } from '../engine/engine.ts';
import type { Emit } from '../model/event.ts';
import { Fault } from '../model/fault.ts';
import { type ImageRecipe, recipeContext, recipeDigest, recipeTag, SENT_DOCKERFILE } from './image-recipe.ts';
import { makeSharedWork } from './shared-work.ts';
import { waitForLock } from './wait-for-lock.ts';

/** What building needs of the world. */
export interface BuildTools {
  readonly engine: Engine;
  /** Host folder for locks and caches; shared by all processes of this machine. */
  readonly cacheDir: string;
  /** HTTP_PROXY and the like: given to builds as arguments that stay in no layer and in no digest. */
  readonly proxyEnv: Readonly<Record<string, string>>;
  /** Task images are built anew, step by step, even where they are there. */
  readonly rebuildTasks?: boolean | undefined;
  readonly emit: Emit;
  readonly now: () => Date;
  /** Ends builds; what a single caller waits for ends by the caller's own signal. */
  readonly runSignal: AbortSignal;
}

/** An image that is there, and whether it was already. */
export interface BuiltImage {
  readonly info: ImageInfo;
  readonly tag: string;
  readonly digest: string;
  readonly cached: boolean;
}

/** Builds what is not there yet: one build per digest at a time, in this process and among all of this machine. */
export interface ImageBuilder {
  build(recipe: ImageRecipe, signal: AbortSignal): Promise<BuiltImage>;
  find(recipe: ImageRecipe, signal: AbortSignal): Promise<ImageInfo | undefined>;
}

/** The {@link ImageBuilder} of an engine. Builds end as Fault with the engine's own reason. */
export function makeImageBuilder(tools: BuildTools): ImageBuilder {
  const builds = makeSharedWork<BuiltImage>();
  const find = (recipe: ImageRecipe, signal: AbortSignal) => tools.engine.image(recipeTag(recipe), signal);
  return {
    find,
    build: (recipe, signal) => builds.join(recipeTag(recipe), () => findOrBuild(tools, recipe), signal),
  };
}

/** The time limit of a task's build is the task's own; the machine may be slower than its author's. */
const MORE_TIME = 'On a slow machine, give all builds more time with images.buildTimeFactor: 3';

async function findOrBuild(tools: BuildTools, recipe: ImageRecipe): Promise<BuiltImage> {
  const started = tools.now();
  const what = nameOf(recipe);
  tools.emit({ kind: 'build-started', at: started.toISOString(), what });
  const built = await underLock(tools, recipe);
  const ended = tools.now();
  const durationMs = Math.max(0, ended.getTime() - started.getTime());
  tools.emit({ kind: 'build-ended', at: ended.toISOString(), what, durationMs, cached: built.cached });
  return built;
}

/** For people who wait for it. */
function nameOf({ purpose, subject }: ImageRecipe): string {
  if (purpose === 'certificates') return `${subject} with this machine's certificates`;
  return purpose === 'verifier' ? 'image of the verifier' : `${purpose} image ${subject}`;
}

async function underLock(tools: BuildTools, recipe: ImageRecipe): Promise<BuiltImage> {
  const { engine, cacheDir, runSignal } = tools;
  const digest = recipeDigest(recipe);
  const tag = recipeTag(recipe);
  const isAnew = tools.rebuildTasks === true && recipe.purpose === 'task';
  const there = isAnew ? undefined : await engine.image(tag, runSignal);
  if (there !== undefined) return { info: there, tag, digest, cached: true };
  await using _lock = await waitForLock(join(cacheDir, 'locks', `build-${digest.slice(7)}.lock`), runSignal);
  // Whoever held the lock may have built it.
  const meanwhile = isAnew ? undefined : await engine.image(tag, runSignal);
  if (meanwhile !== undefined) return { info: meanwhile, tag, digest, cached: true };
  const info = await buildNow(tools, recipe, { tag, digest });
  return { info, tag, digest, cached: false };
}

async function buildNow(
  { engine, proxyEnv, runSignal, rebuildTasks }: BuildTools,
  recipe: ImageRecipe,
  { tag, digest }: { readonly tag: string; readonly digest: string },
): Promise<ImageInfo> {
  try {
    const context = await recipeContext(recipe);
    const id = await engine.build(
      {
        context,
        dockerfile: SENT_DOCKERFILE,
        tag,
        labels: {
          [LABEL.managed]: '1',
          [LABEL.kind]: `${recipe.purpose}-image`,
          [LABEL.digest]: digest,
          [LABEL.subject]: recipe.subject,
        },
        buildArgs: proxyEnv,
        platform: recipe.platform,
        noCache: rebuildTasks === true && recipe.purpose === 'task',
        timeoutMs: recipe.timeoutMs,
      },
      runSignal,
    );
    const info = await engine.image(id, runSignal);
    if (info !== undefined) return info;
    throw buildFault(recipe, 'the engine built it and then did not know it');
  } catch (error) {
    throw asFault(recipe, error);
  }
}

const NOT_THE_BUILDS: ReadonlySet<EngineErrorKind> = new Set(['unreachable', 'aborted', 'no-space']);

/** A lost engine, a full disk or an interrupted run is no fault of the build. */
function asFault(recipe: ImageRecipe, error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  if (NOT_THE_BUILDS.has(error.kind)) return error;
  const isSlowTask = error.kind === 'build-timeout' && recipe.purpose === 'task';
  return buildFault(recipe, isSlowTask ? `${error.message}\n${MORE_TIME}` : error.message, error);
}

function buildFault(recipe: ImageRecipe, detail: string, cause?: unknown): Fault {
  const reason = recipe.purpose === 'harness' ? 'harness-install-failed' : 'build-failed';
  return new Fault(reason, 'build', `${recipe.purpose} image ${recipe.subject}: ${detail}`, { cause });
}
