import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { nearest } from '../base/nearest.ts';
import { type Engine, EngineError, type ImageId, type ImageInfo } from '../engine/engine.ts';
import type { ImageSettings } from '../model/experiment.ts';
import { Fault } from '../model/fault.ts';
import { certificatesRecipe, type HostCertificates } from './certificates-recipe.ts';
import { baseKey, dockerfileBases } from './dockerfile-bases.ts';
import type { ImageBuilder } from './image-builder.ts';
import { plainRecipe } from './plain-recipe.ts';
import { readDockerfile } from './read-dockerfile.ts';
import type { BaseRequest, ResolvedBase } from './resolved-base.ts';
import { makeSharedWork } from './shared-work.ts';

/** The project's own base, made from `Dockerfile.base` when a task starts from it. */
export const OWN_BASE = 'skillpair/base:1';
const BASE_TIMEOUT_MS = 30 * 60_000;

/** What finding bases needs. */
export interface BaseImageTools {
  readonly engine: Engine;
  readonly builder: ImageBuilder;
  readonly settings: ImageSettings;
  /** Folder that may hold `Dockerfile.base`. */
  readonly projectRoot: string;
  readonly certificates: HostCertificates;
  /** The platform to build for where a Dockerfile names none. */
  readonly platform: () => Promise<string>;
  readonly runSignal: AbortSignal;
}

/** Resolves names of base images to images, once each. */
export interface BaseImages {
  /** Pulls and builds what is absent. Throws Fault `build-failed` with the repair when an image cannot be had. */
  resolve(request: BaseRequest, signal: AbortSignal): Promise<ResolvedBase>;
  /** Only looks; undefined when something would have to be pulled or built. */
  find(request: BaseRequest, signal: AbortSignal): Promise<ResolvedBase | undefined>;
  /** Names, among this base and what it is made from, that would have to be pulled. */
  toPull(request: BaseRequest, signal: AbortSignal): Promise<readonly string[]>;
  /** All that were resolved so far, by name: for the run's lock. */
  resolved(): Readonly<Record<string, { readonly image: string; readonly substituted: boolean }>>;
}

/** The bases of one run. */
export function makeBaseImages(tools: BaseImageTools): BaseImages {
  const work = makeSharedWork<ResolvedBase>();
  const known = new Map<string, ResolvedBase>();
  const found = (base: ResolvedBase) => known.set(base.name, base);
  const make = async (request: BaseRequest) => {
    const base = await resolveBase({ ...tools, mode: 'make', found }, request, tools.runSignal);
    if (base === undefined) throw absent(request.name, 'it is not on this machine');
    return base;
  };
  return {
    resolve: (request, signal) => work.join(baseKey(request), () => make(request), signal),
    find: (request, signal) =>
      resolveBase({ ...tools, mode: 'look', found: () => undefined }, request, signal),
    toPull: (request, signal) => namesToPull(tools, request, signal),
    resolved: () =>
      Object.fromEntries(
        [...known]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, { original, substituted }]) => [name, { image: original, substituted }]),
      ),
  };
}

type Resolving = BaseImageTools & {
  readonly mode: 'make' | 'look';
  /** Told of every base, also of those that our own base is made from. */
  readonly found: (base: ResolvedBase) => void;
};

async function resolveBase(
  tools: Resolving,
  request: BaseRequest,
  signal: AbortSignal,
): Promise<ResolvedBase | undefined> {
  // A variable of BuildKit's own, `$BUILDPLATFORM` say, expands to nothing here.
  const platform = request.platform || (await tools.platform());
  const substitute = substituteFor(request.name, tools.settings.substitute);
  const own = substitute === undefined && request.name === OWN_BASE && (await hasOwnBase(tools));
  const info = own
    ? await ownBase(tools, platform, signal)
    : await localOrPulled(tools, { name: request.name, substitute, platform }, signal);
  if (info === undefined) return undefined;
  checkPlatform(request.name, info, platform);
  // What our own base starts from has the certificates already.
  const needsNone = own || request.copiedFrom || tools.settings.trustCa === 'none';
  const trusting = needsNone ? info : await withCertificates(tools, info, signal);
  if (trusting === undefined) return undefined;
  const { name } = request;
  const base = { name, info: trusting, original: info.id, substituted: substitute !== undefined };
  tools.found(base);
  return base;
}

async function namesToPull(
  tools: BaseImageTools,
  { name }: BaseRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const substitute = substituteFor(name, tools.settings.substitute);
  if (substitute === undefined && name === OWN_BASE && (await hasOwnBase(tools))) {
    const dockerfile = await readDockerfile(join(tools.projectRoot, 'Dockerfile.base'));
    const uses = dockerfile.ok ? dockerfileBases(dockerfile.value) : [];
    return (await Promise.all(uses.map((use) => namesToPull(tools, use, signal)))).flat();
  }
  return (await tools.engine.image(substitute ?? name, signal)) === undefined ? [substitute ?? name] : [];
}

async function hasOwnBase({ projectRoot }: BaseImageTools): Promise<boolean> {
  return access(join(projectRoot, 'Dockerfile.base')).then(
    () => true,
    () => false,
  );
}

async function ownBase(
  tools: Resolving,
  platform: string,
  signal: AbortSignal,
): Promise<ImageInfo | undefined> {
  const recipe = await plainRecipe(
    {
      purpose: 'base',
      subject: OWN_BASE,
      dockerfilePath: join(tools.projectRoot, 'Dockerfile.base'),
      contextDir: undefined,
      platform,
      timeoutMs: BASE_TIMEOUT_MS,
    },
    (request, inner) => resolveBase(tools, request, inner),
    signal,
  );
  if (recipe === undefined) return undefined;
  if (tools.mode === 'look') return tools.builder.find(recipe, signal);
  return (await tools.builder.build(recipe, signal)).info;
}

interface Wanted {
  readonly name: string;
  readonly substitute: string | undefined;
  readonly platform: string;
}

async function localOrPulled(
  { engine, mode }: Resolving,
  { name, substitute, platform }: Wanted,
  signal: AbortSignal,
): Promise<ImageInfo | undefined> {
  const local = await engine.image(substitute ?? name, signal);
  if (local !== undefined || mode === 'look') return local;
  if (substitute !== undefined)
    throw new Fault(
      'build-failed',
      'build',
      `images.substitute maps ${name} to ${substitute}, which is not on this machine: build or load ${substitute}, or map ${name} to another local image`,
    );
  let id: ImageId;
  try {
    id = await engine.pull(name, platform, signal);
  } catch (error) {
    throw pullFault(name, error);
  }
  return engine.image(id, signal);
}

function pullFault(name: string, error: unknown): unknown {
  if (!(error instanceof EngineError) || error.kind === 'aborted' || error.kind === 'no-space') return error;
  return absent(name, `it is not on this machine and cannot be pulled (${error.message})`, error);
}

function absent(name: string, why: string, cause?: unknown): Fault {
  const meant = nearest(name, [OWN_BASE]);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return new Fault(
    'build-failed',
    'build',
    `base image ${name}: ${why}.${hint} Pull or load it, or name a local image in its place in the experiment, the same in all conditions:\n  images: { substitute: { "${name}": <local image> } }`,
    { cause },
  );
}

function checkPlatform(name: string, info: ImageInfo, wanted: string): void {
  const osAndArchitecture = (platform: string) => platform.split('/').slice(0, 2).join('/');
  if (osAndArchitecture(info.platform) === osAndArchitecture(wanted)) return;
  throw new Fault(
    'build-failed',
    'build',
    `base image ${name} is for ${info.platform}, but ${wanted} is wanted: load the image for ${wanted}, or set images.platform in the experiment`,
  );
}

async function withCertificates(
  { builder, certificates, mode }: Resolving,
  info: ImageInfo,
  signal: AbortSignal,
): Promise<ImageInfo | undefined> {
  const recipe = await certificatesRecipe(info, certificates);
  if (recipe === undefined) return info;
  if (mode === 'look') return builder.find(recipe, signal);
  return (await builder.build(recipe, signal)).info;
}

/** Exact text first; then the same image under its short and its full name. */
function substituteFor(name: string, substitutes: Readonly<Record<string, string>>): string | undefined {
  const exact = Object.hasOwn(substitutes, name) ? substitutes[name] : undefined;
  if (exact !== undefined) return exact;
  return Object.entries(substitutes).find(([key]) => fullName(key) === fullName(name))?.[1];
}

function fullName(name: string): string {
  const [path = '', digest] = name.split('@');
  const tagged =
    path.lastIndexOf(':') > path.lastIndexOf('/') || digest !== undefined ? path : `${path}:latest`;
  const short = tagged.replace(/^(index\.)?docker\.io\//, '').replace(/^library\//, '');
  return digest === undefined ? short : `${short}@${digest}`;
}
