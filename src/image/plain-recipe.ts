import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import { readContext } from './context-entries.ts';
import { contextPaths } from './copy-sources.ts';
import type { Dockerfile } from './dockerfile.ts';
import { baseEdits, baseKey, dockerfileBases } from './dockerfile-bases.ts';
import type { ImagePurpose, ImageRecipe } from './image-recipe.ts';
import { missingSources } from './missing-sources.ts';
import { problemsFault, readDockerfile } from './read-dockerfile.ts';
import type { ResolveBase, ResolvedBase } from './resolved-base.ts';
import { resolveStages } from './resolved-steps.ts';
import { applyEdits } from './text-edit.ts';

/** An image of our own that has no Skills to be kept out: a base, a bundle. */
export interface PlainImage {
  readonly purpose: ImagePurpose;
  readonly subject: string;
  readonly dockerfilePath: string;
  /** Absent: the Dockerfile copies nothing from the host. */
  readonly contextDir: string | undefined;
  readonly platform: string;
  readonly timeoutMs: number;
}

/** The recipe of a plain image. Throws Fault for what would stop the build; undefined when a base is not there. */
export async function plainRecipe(
  image: PlainImage,
  resolve: ResolveBase<ResolvedBase | undefined>,
  signal: AbortSignal,
): Promise<ImageRecipe | undefined> {
  const dockerfile = await readDockerfile(image.dockerfilePath);
  if (!dockerfile.ok) throw problemsFault(dockerfile.error);
  const entries = image.contextDir === undefined ? [] : await readContext(image.contextDir);
  const bases = await resolveBases(dockerfile.value, resolve, signal);
  if (bases === undefined) return undefined;
  const checked = checkSources(dockerfile.value, entries, bases);
  if (!checked.ok) throw problemsFault(checked.error);
  return {
    purpose: image.purpose,
    subject: image.subject,
    entries,
    text: applyEdits(dockerfile.value.text, baseEdits(dockerfileBases(dockerfile.value), bases)),
    bases: [...bases.values()].map(({ info }) => info.id),
    platform: image.platform,
    timeoutMs: image.timeoutMs,
  };
}

/** All bases of a Dockerfile by key; undefined when one is not there. */
export async function resolveBases(
  dockerfile: Dockerfile,
  resolve: ResolveBase<ResolvedBase | undefined>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ResolvedBase> | undefined> {
  const bases = new Map<string, ResolvedBase>();
  for (const use of dockerfileBases(dockerfile)) {
    const base = bases.get(baseKey(use)) ?? (await resolve(use, signal));
    if (base === undefined) return undefined;
    bases.set(baseKey(use), base);
  }
  return bases;
}

/** The stages with the settings of their bases, once every COPY source is known to be there. */
export function checkSources(
  dockerfile: Dockerfile,
  entries: Parameters<typeof contextPaths>[0],
  bases: ReadonlyMap<string, ResolvedBase>,
): Result<ReturnType<typeof resolveStages>, readonly Problem[]> {
  const stages = resolveStages(dockerfile, (image) => settingsOf(image, bases));
  const problems = missingSources(dockerfile.file, stages, contextPaths(entries));
  return problems.length === 0 ? ok(stages) : { ok: false, error: problems };
}

function settingsOf(image: string, bases: ReadonlyMap<string, ResolvedBase>) {
  const base = [...bases.values()].find(({ name }) => name === image)?.info;
  return base ?? { env: [], workingDir: '/', user: '' };
}
