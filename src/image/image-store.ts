import { join, posix } from 'node:path';
import type { Engine, ImageId, ImageInfo } from '../engine/engine.ts';
import type { Emit } from '../model/event.ts';
import { Fault } from '../model/fault.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';
import { agentEnvironments } from './agent-environment.ts';
import { type BaseImages, makeBaseImages, OWN_BASE } from './base-images.ts';
import { type BuildWay, buildTaskImage } from './build-task-image.ts';
import { type BundleStore, makeBundleStore } from './bundle-store.ts';
import type { HostCertificates } from './certificates-recipe.ts';
import { discoveryFolders, homesOf } from './discovery-folders.ts';
import { dockerfileBases } from './dockerfile-bases.ts';
import { entryPointLeaks } from './entry-point-leaks.ts';
import { type ImageBuilder, makeImageBuilder } from './image-builder.ts';
import { readImageIndex } from './image-index.ts';
import type { ImageIndex } from './image-tree.ts';
import { auditImage, type LeakFinding } from './leak-audit.ts';
import { problemsFault, readDockerfile } from './read-dockerfile.ts';
import { makeSharedWork } from './shared-work.ts';
import type { SkillTarget } from './skill-copies.ts';
import { readTaskBuild } from './task-build.ts';

/** What a run's images are made with. */
export interface ImageStoreTools {
  readonly engine: Engine;
  readonly project: Project;
  /** Folder that may hold `Dockerfile.base`. */
  readonly projectRoot: string;
  /** Host folder for locks and caches, shared by all runs of this machine. */
  readonly cacheDir: string;
  /** HTTP_PROXY and the like, for builds only. */
  readonly proxyEnv: Readonly<Record<string, string>>;
  /** Read only where the experiment says `images.trustCa: host`. */
  readonly certificates: HostCertificates;
  /** Task images are built anew, even where they are there. */
  readonly rebuildTasks?: boolean;
  readonly emit: Emit;
  readonly now: () => Date;
  /** Ends builds; the signals of single calls only end their waiting. */
  readonly runSignal: AbortSignal;
}

/** The one image of all arms of a task, audited: no Skill of the task is in it. */
export interface TaskImage extends BuildWay {
  readonly id: ImageId;
  readonly info: ImageInfo;
  readonly index: ImageIndex;
  /** Where the task's Dockerfile would have copied its Skills. */
  readonly skillTargets: readonly SkillTarget[];
  /** What the audit noticed; none of it a violation. */
  readonly findings: readonly LeakFinding[];
  /** Digests of the files that the task's context holds outside its Skills. */
  readonly contextDigests: ReadonlySet<string>;
}

/** Makes and finds the images and volumes of a run, each once, whoever asks. */
export interface ImageStore extends BundleStore {
  /** Throws Fault `build-failed`, or `condition-violated` when a Skill is in the image all the same. */
  taskImage(task: Task, signal: AbortSignal): Promise<TaskImage>;
  /** Finds, pulls or builds every base these tasks start from: FROM name -> image id. One Fault names all that cannot be had. */
  baseImages(
    tasks: readonly Task[],
    signal: AbortSignal,
  ): Promise<Record<string, { readonly image: string; readonly substituted: boolean }>>;
  /** The project's own base, for programs of ours that need Python. Throws Fault `build-failed`. */
  ownBase(signal: AbortSignal): Promise<ImageId>;
}

interface TaskTools extends ImageStoreTools {
  readonly builder: ImageBuilder;
  readonly bases: BaseImages;
  readonly platform: string;
}

/** After so many failed builds of one task the last reason is given again, without another build. */
const MAX_BUILDS = 2;

/** The {@link ImageStore} of a run. */
export function makeImageStore(tools: ImageStoreTools): ImageStore {
  const { engine, project, runSignal } = tools;
  const builder = makeImageBuilder(tools);
  const platform = memoized(
    async () => project.experiment.images.platform ?? (await engine.info(runSignal)).platform,
  );
  const bases = makeBaseImages({ ...tools, builder, settings: project.experiment.images, platform });
  const images = makeSharedWork<TaskImage>();
  const failures = new Map<string, { readonly count: number; readonly fault: Fault }>();

  const makeTaskImage = async (task: Task): Promise<TaskImage> => {
    const failed = failures.get(task.id);
    if (failed !== undefined && failed.count >= MAX_BUILDS) throw failed.fault;
    try {
      return await buildAndAudit({ ...tools, builder, bases, platform: await platform() }, task);
    } catch (error) {
      if (error instanceof Fault) failures.set(task.id, { count: (failed?.count ?? 0) + 1, fault: error });
      throw error;
    }
  };

  return {
    ...makeBundleStore({ ...tools, builder, bases, platform, verifiersDir: project.verifiersDir }),
    taskImage: (task, signal) => images.join(task.id, () => makeTaskImage(task), signal),
    ownBase: async (signal) => {
      const own = { name: OWN_BASE, platform: undefined, copiedFrom: false };
      return (await bases.resolve(own, signal)).info.id;
    },
    baseImages: async (tasks, signal) => ({ ...(await resolveAll(bases, tasks, signal)) }),
  };
}

async function resolveAll(bases: BaseImages, tasks: readonly Task[], signal: AbortSignal) {
  const failures = new Map<string, Fault>();
  for (const { environment } of tasks) {
    const dockerfile = await readDockerfile(join(environment.contextDir, environment.dockerfile));
    if (!dockerfile.ok) throw problemsFault(dockerfile.error);
    for (const use of dockerfileBases(dockerfile.value)) {
      await bases.resolve(use, signal).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
        failures.set(use.name, error);
      });
    }
  }
  const [first] = failures.values();
  if (first === undefined) return bases.resolved();
  throw new Fault(first.reason, first.phase, [...failures.values()].map(({ message }) => message).join('\n'));
}

async function buildAndAudit(tools: TaskTools, task: Task): Promise<TaskImage> {
  const { engine, project, cacheDir, runSignal, bases, builder, platform } = tools;
  const reading = await readTaskBuild(
    task,
    { resolve: bases.resolve, platform, timeFactor: project.experiment.images.buildTimeFactor },
    runSignal,
  );
  if (!reading.ok) throw problemsFault(reading.error);
  const build = reading.value.ready;
  if (build === undefined) throw new Error('a resolver that makes bases gave none');
  const { built, way, reason } = await buildTaskImage({ builder, cacheDir }, build, runSignal);
  if (way === 'deleted')
    notice(tools, `task ${task.id} is built with its Skills, which the last layer deletes: ${reason}`);
  const { info } = built;
  const index = await readImageIndex({ engine, cacheDir }, info.id, runSignal);
  const { skillTargets: targets, outsideDigests } = build.context;
  const skillTargets = targets.map((target) => asPlaced(target, index));
  const findings = audited(task, { project, index, info, skillTargets, outsideDigests });
  for (const { severity, detail } of findings)
    if (severity === 'warning') notice(tools, `task ${task.id}: ${detail}`);
  await refuseEntryPoint(tools, task, { info, index });
  return { id: info.id, info, index, skillTargets, way, reason, findings, contextDigests: outsideDigests };
}

function memoized<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function audited(
  task: Task,
  image: Pick<TaskImage, 'index' | 'info' | 'skillTargets'> & {
    readonly project: Project;
    readonly outsideDigests: ReadonlySet<string>;
  },
): readonly LeakFinding[] {
  const findings = auditImage({
    ...image,
    config: image.info,
    bundles: task.skills,
    looseFiles: task.looseSkillFiles,
    discovery: image.project.discovery,
    environments: agentEnvironments(task, image.info.env, image.project),
  });
  const violations = findings.filter(({ severity }) => severity === 'violation');
  if (violations.length === 0) return findings;
  const shown = violations.slice(0, 10).map(({ path = '', detail }) => `  ${path}: ${detail}`);
  const more = violations.length > shown.length ? [`  and ${violations.length - shown.length} more`] : [];
  throw new Fault(
    'condition-violated',
    'build',
    [
      `the image of task ${task.id} holds Skills, so that no arm without them can be run from it:`,
      ...shown,
      ...more,
      'Remove them from the base image, or from what the Dockerfile puts there',
    ].join('\n'),
  );
}

async function refuseEntryPoint(
  { engine, project, runSignal }: TaskTools,
  task: Task,
  { info, index }: Pick<TaskImage, 'info' | 'index'>,
): Promise<void> {
  const folders = discoveryFolders({
    discovery: project.discovery,
    homes: homesOf(index),
    workingDir: info.workingDir,
    environments: agentEnvironments(task, info.env, project),
  });
  const leaks = await entryPointLeaks(engine, { info, user: task.agent.user, folders }, runSignal);
  if (leaks.length === 0) return;
  const shown = leaks.slice(0, 10).join(', ');
  const message = `the entry point of task ${task.id}'s image puts Skills where a harness finds them, in both arms: ${shown}`;
  throw new Fault('condition-violated', 'build', `${message}\nTake that out of the ENTRYPOINT`);
}

/** A file copied to a name that turned out to be a folder lies in that folder. */
function asPlaced(target: SkillTarget, index: ImageIndex): SkillTarget {
  if (target.kind !== 'file') return target;
  const real = index.resolve(target.containerPath);
  const isFolder = real !== undefined && (real === '/' || index.entries.get(real)?.kind === 'folder');
  if (!isFolder) return target;
  return { ...target, containerPath: posix.join(target.containerPath, posix.basename(target.source)) };
}

function notice({ emit, now }: ImageStoreTools, message: string): void {
  emit({ kind: 'notice', at: now().toISOString(), message });
}
