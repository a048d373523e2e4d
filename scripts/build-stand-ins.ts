import { join } from 'node:path';
import { type Engine, LABEL } from '../src/engine/engine.ts';
import { makeBaseImages } from '../src/image/base-images.ts';
import type { HostCertificates } from '../src/image/certificates-recipe.ts';
import { makeImageBuilder } from '../src/image/image-builder.ts';
import { recipeContext, recipeDigest, SENT_DOCKERFILE } from '../src/image/image-recipe.ts';
import { plainRecipe } from '../src/image/plain-recipe.ts';
import type { ImageSettings } from '../src/model/experiment.ts';
import { buildRootFileSystem, rootFileSystemTag } from './root-file-system-image.ts';
import { type StandIn, type Suite, standInTag } from './stand-in-names.ts';

/** What stand-ins are built with. */
export interface StandInTools {
  readonly engine: Engine;
  readonly makeRootFileSystem: (tarPath: string, suite: Suite) => Promise<void>;
  /** Folder of the Dockerfiles: `system`, `python` and `fat`. */
  readonly templates: string;
  readonly cacheDir: string;
  readonly trustCa: ImageSettings['trustCa'];
  readonly certificates: HostCertificates;
  readonly proxyEnv: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** A build of an office suite on a slow machine takes this long. */
const BUILD_TIMEOUT_MS = 60 * 60_000;

/** Builds a stand-in and what it is made of, and gives its name. Quick where nothing changed. Rejects with Fault. */
export async function buildStandIn(tools: StandInTools, standIn: StandIn): Promise<string> {
  const tag = standInTag(standIn);
  if (standIn.fat) {
    const thin = await buildStandIn(tools, { ...standIn, fat: false });
    await build(tools, { tag, folder: 'fat', bases: { 'stand-in/thin': thin } });
  } else if (standIn.kind === 'python') {
    const system = await buildStandIn(tools, { ...standIn, kind: 'system' });
    await build(tools, { tag, folder: 'python', bases: { 'stand-in/system': system } });
  } else {
    // The parts that come from the registry of Python are fetched once, with one release's tools.
    const bases = {
      'stand-in/packages-base': await rootFileSystem(tools, 'bookworm'),
      'stand-in/base': await rootFileSystem(tools, standIn.suite),
    };
    await build(tools, { tag, folder: 'system', bases });
  }
  return tag;
}

async function rootFileSystem(tools: StandInTools, suite: Suite): Promise<string> {
  const tag = rootFileSystemTag(suite);
  if ((await tools.engine.image(tag, tools.signal)) !== undefined) return tag;
  tools.say(`${tag}: making it from Debian packages (about half a minute) ...`);
  await buildRootFileSystem(tools, suite);
  return tag;
}

interface Layer {
  readonly tag: string;
  readonly folder: string;
  /** Names in the Dockerfile's FROM lines, and the local images for them. */
  readonly bases: Readonly<Record<string, string>>;
}

async function build(tools: StandInTools, { tag, folder, bases }: Layer): Promise<void> {
  const { engine, say, signal, proxyEnv } = tools;
  const recipe = await recipeOf(tools, { tag, folder, bases });
  const digest = recipeDigest(recipe);
  const there = await engine.image(tag, signal);
  if (there?.labels[LABEL.digest] === digest) return;
  say(`${tag}: building ...`);
  const labels = {
    [LABEL.managed]: '1',
    [LABEL.kind]: 'stand-in',
    [LABEL.digest]: digest,
    [LABEL.subject]: tag,
  };
  const context = await recipeContext(recipe);
  const { platform, timeoutMs } = recipe;
  const spec = {
    context,
    dockerfile: SENT_DOCKERFILE,
    tag,
    labels,
    buildArgs: proxyEnv,
    platform,
    timeoutMs,
  };
  await engine.build(spec, signal);
}

async function recipeOf(tools: StandInTools, { tag, folder, bases }: Layer) {
  const { engine, templates, signal, trustCa } = tools;
  const contextDir = join(templates, folder);
  const { platform } = await engine.info(signal);
  const builder = makeImageBuilder({
    ...tools,
    emit: () => undefined,
    now: () => new Date(),
    runSignal: signal,
  });
  const found = makeBaseImages({
    engine,
    builder,
    settings: { substitute: bases, trustCa, buildTimeFactor: 1 },
    projectRoot: templates,
    certificates: tools.certificates,
    platform: async () => platform,
    runSignal: signal,
  });
  const dockerfilePath = join(contextDir, 'Dockerfile');
  const image = { purpose: 'base', subject: tag, dockerfilePath, contextDir, platform } as const;
  const recipe = await plainRecipe({ ...image, timeoutMs: BUILD_TIMEOUT_MS }, found.resolve, signal);
  if (recipe === undefined) throw new Error('a resolver that makes bases gave none');
  return recipe;
}
