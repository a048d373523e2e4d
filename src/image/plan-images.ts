import type { Engine } from '../engine/engine.ts';
import { Fault } from '../model/fault.ts';
import type { Harness } from '../model/harness.ts';
import type { Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';
import { type BaseImages, makeBaseImages } from './base-images.ts';
import { knownWay, recipeOf } from './build-task-image.ts';
import { harnessImage, verifierImage } from './bundle-recipe.ts';
import type { HostCertificates } from './certificates-recipe.ts';
import type { Dockerfile } from './dockerfile.ts';
import { baseKey, dockerfileBases } from './dockerfile-bases.ts';
import { type ImageRecipe, recipeTag } from './image-recipe.ts';
import { type PlainImage, plainRecipe } from './plain-recipe.ts';
import { readDockerfile } from './read-dockerfile.ts';
import type { ResolvedBase } from './resolved-base.ts';
import { makeSharedWork } from './shared-work.ts';
import { readTaskBuild } from './task-build.ts';

/** One image of a run, as far as it is known without building anything. */
export interface PlannedImage {
  readonly purpose: 'task' | 'harness' | 'verifier';
  /** Task or harness id. */
  readonly subject: string;
  /** Absent while a base is not there: the tag depends on its id. */
  readonly tag: string | undefined;
  /** True: nothing will be built. Undefined: no engine was asked. */
  readonly exists: boolean | undefined;
  /** Tasks: why the image must be built with its Skills, which are then deleted. */
  readonly deletedBecause: string | undefined;
  /** Images that would have to be pulled. */
  readonly toPull: readonly string[];
  /** What would stop the build. */
  readonly problems: readonly Problem[];
}

/** What is looked at, and with what. */
export interface PlanImagesInput {
  readonly project: Project;
  readonly tasks: readonly Task[];
  readonly harnesses: readonly Harness[];
  readonly projectRoot: string;
  readonly cacheDir: string;
  readonly certificates: HostCertificates;
  /** Absent: only the files are read. */
  readonly engine: Engine | undefined;
}

/** Tells what a run would build, what is there, and what cannot be found. Builds and pulls nothing. */
export async function planImages(
  input: PlanImagesInput,
  signal: AbortSignal,
): Promise<readonly PlannedImage[]> {
  const look = await makeLook(input, signal);
  const planned: PlannedImage[] = [];
  for (const task of input.tasks) planned.push(await planTask(look, task));
  for (const harness of input.harnesses)
    if (harness.manifest.bundle) planned.push(await planBundle(look, harnessImage(harness, look.platform)));
  if (input.tasks.some((task) => task.verifier.kind === 'pytest'))
    planned.push(await planBundle(look, verifierImage(input.project.verifiersDir, look.platform)));
  return planned;
}

type Bases = Pick<BaseImages, 'find' | 'toPull'>;

interface Look {
  readonly input: PlanImagesInput;
  readonly platform: string;
  readonly bases: Bases | undefined;
  readonly signal: AbortSignal;
}

async function makeLook(input: PlanImagesInput, signal: AbortSignal): Promise<Look> {
  const { engine, project } = input;
  const settings = project.experiment.images;
  if (engine === undefined) return { input, platform: settings.platform ?? '', bases: undefined, signal };
  const platform = settings.platform ?? (await engine.info(signal)).platform;
  const builder = {
    find: (recipe: ImageRecipe, inner: AbortSignal) => engine.image(recipeTag(recipe), inner),
    build: () => Promise.reject(new Error('a plan builds nothing')),
  };
  const known = async () => platform;
  const made = makeBaseImages({ ...input, engine, builder, settings, platform: known, runSignal: signal });
  // Nothing changes while a plan is made, and most tasks share their base.
  const found = makeSharedWork<ResolvedBase | undefined>();
  const names = makeSharedWork<readonly string[]>();
  const bases: Bases = {
    find: (request) => found.join(baseKey(request), () => made.find(request, signal), signal),
    toPull: (request) => names.join(baseKey(request), () => made.toPull(request, signal), signal),
  };
  return { input, platform, bases, signal };
}

async function planTask(look: Look, task: Task): Promise<PlannedImage> {
  const common = { purpose: 'task', subject: task.id } as const;
  try {
    const resolve = look.bases?.find ?? (async () => undefined);
    const timeFactor = look.input.project.experiment.images.buildTimeFactor;
    const build = await readTaskBuild(task, { resolve, platform: look.platform, timeFactor }, look.signal);
    if (!build.ok) return unknown(common, { problems: build.error });
    const { dockerfile, ready } = build.value;
    const toPull = await toPullFor(look, dockerfile);
    if (ready === undefined) return unknown(common, { toPull });
    const way = await knownWay(look.input.cacheDir, ready);
    return await looked(look, {
      ...common,
      recipe: recipeOf(ready, way),
      deletedBecause: way.reason,
      toPull,
    });
  } catch (error) {
    return unknown(common, { problems: [asProblem(error, task.environment.contextDir)] });
  }
}

async function planBundle(look: Look, image: PlainImage): Promise<PlannedImage> {
  const common = {
    purpose: image.purpose === 'harness' ? 'harness' : 'verifier',
    subject: image.subject,
  } as const;
  try {
    const recipe = await plainRecipe(image, look.bases?.find ?? (async () => undefined), look.signal);
    const dockerfile = await readDockerfile(image.dockerfilePath);
    const toPull = dockerfile.ok ? await toPullFor(look, dockerfile.value) : [];
    if (recipe === undefined) return unknown(common, { toPull });
    return await looked(look, { ...common, recipe, deletedBecause: undefined, toPull });
  } catch (error) {
    return unknown(common, { problems: [asProblem(error, image.dockerfilePath)] });
  }
}

async function toPullFor({ bases, signal }: Look, dockerfile: Dockerfile): Promise<readonly string[]> {
  if (bases === undefined) return [];
  const names = await Promise.all(dockerfileBases(dockerfile).map((use) => bases.toPull(use, signal)));
  return [...new Set(names.flat())];
}

function unknown(
  common: Pick<PlannedImage, 'purpose' | 'subject'>,
  known: Partial<PlannedImage>,
): PlannedImage {
  return {
    tag: undefined,
    exists: undefined,
    deletedBecause: undefined,
    toPull: [],
    problems: [],
    ...common,
    ...known,
  };
}

async function looked(
  { input, signal }: Look,
  {
    recipe,
    ...known
  }: Pick<PlannedImage, 'purpose' | 'subject' | 'deletedBecause' | 'toPull'> & { recipe: ImageRecipe },
): Promise<PlannedImage> {
  const tag = recipeTag(recipe);
  const exists = (await input.engine?.image(tag, signal)) !== undefined;
  return { ...known, tag, exists, problems: [] };
}

/** Only what the input is to blame for; a lost engine is no problem of the user's files. */
function asProblem(error: unknown, file: string): Problem {
  if (!(error instanceof Fault)) throw error;
  return { severity: 'error', message: error.message, where: { file } };
}
