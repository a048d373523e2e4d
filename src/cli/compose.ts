import { thisProcess } from '../base/lock-file.ts';
import { connectEngine } from '../engine/docker/connect.ts';
import { type Engine, EngineError, type EngineInfo } from '../engine/engine.ts';
import { trajectoryReader } from '../harness/registry.ts';
import { type ImageStore, makeImageStore } from '../image/image-store.ts';
import type { MachineSettings } from '../load/machine-settings.ts';
import type { Emit } from '../model/event.ts';
import type { RunId } from '../model/ids.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';
import type { Trial } from '../model/trial.ts';
import { makePackageStore, type PackageStore } from '../run/packages/package-store.ts';
import type { RunModels } from '../run/run-models.ts';
import type { TrialServices } from '../run/trial-context.ts';
import { readPytestVerdict } from '../verifier/pytest-report.ts';
import { readScriptVerdict } from '../verifier/script-report.ts';
import { type Environment, say } from './environment.ts';
import { engineDisk, freeBytes } from './free-bytes.ts';
import { HOST_CERTIFICATES } from './host-certificates.ts';
import { CACHE_DIR } from './load-experiment.ts';
import { seldom } from './seldom.ts';
import { HOME } from './version.ts';

const TROUBLE_PAUSE_MS = 30_000;

const PROXY_VARIABLE = /^(https?|ftp|all|no)_proxy$/i;

/** The host's proxy settings: they reach builds, where they stay in no layer, and the gateway's own connections to providers. */
export function proxyVariables(env: Environment['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => PROXY_VARIABLE.test(entry[0]) && !!entry[1],
    ),
  );
}

/** An engine, what it says of itself, and what its client has to say of it. */
export interface ReachedEngine {
  readonly engine: Engine;
  readonly host: EngineInfo;
  /** Who is told from now on of calls that had to be made again, at most twice a minute; until then it is said on standard error. */
  readonly onTrouble: (listener: (message: string) => void) => void;
}

/** The engine that answers. Rejects with EngineError when none does. */
export async function reachEngine(environment: Pick<Environment, 'env' | 'stderr'>): Promise<ReachedEngine> {
  let listener = seldom((message: string) => say(environment.stderr, message), TROUBLE_PAUSE_MS);
  const engine = await connectEngine({ env: environment.env, tell: (message) => listener(message) });
  const host = await engine.info(AbortSignal.timeout(30_000));
  return {
    engine,
    host,
    onTrouble: (next) => {
      listener = seldom(next, TROUBLE_PAUSE_MS);
    },
  };
}

/** {@link reachEngine}, for commands that can say much without one: undefined when none answers. */
export async function engineIfAny(environment: Environment): Promise<ReachedEngine | undefined> {
  try {
    return await reachEngine(environment);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** The store of images and bundles for one project. */
export function imageStore(
  environment: Pick<Environment, 'env' | 'now'>,
  engine: Engine,
  from: {
    readonly project: Project;
    readonly emit: Emit;
    readonly stop: AbortSignal;
    readonly rebuildTasks?: boolean;
  },
): ImageStore {
  return makeImageStore({
    engine,
    project: from.project,
    projectRoot: HOME,
    cacheDir: CACHE_DIR,
    certificates: HOST_CERTIFICATES,
    proxyEnv: proxyVariables(environment.env),
    runSignal: from.stop,
    ...(from.rebuildTasks === undefined ? {} : { rebuildTasks: from.rebuildTasks }),
    emit: from.emit,
    now: environment.now,
  });
}

/** The store of what verifiers download, for trials that are to come; undefined where this machine keeps none. */
export function packageStore(
  { packageCache }: Pick<MachineSettings, 'packageCache'>,
  from: {
    readonly trials: readonly Trial[];
    /** Of each trial. */
    readonly verifications: number;
    readonly say: (message: string) => void;
  },
): PackageStore | undefined {
  if (!packageCache) return undefined;
  const { trials, verifications: each, say } = from;
  const verifications = ({ id }: Task) => trials.filter(({ task }) => task === id).length * each;
  return makePackageStore({ cacheDir: CACHE_DIR, verifications, say });
}

/** Names the implementations behind the interfaces that `run` knows: the only place that does. */
export function trialServices(from: {
  readonly engine: Engine;
  readonly host: EngineInfo;
  readonly images: ImageStore;
  readonly project: Project;
  readonly run: RunId;
  readonly models?: RunModels | undefined;
  readonly packages?: PackageStore | undefined;
}): TrialServices {
  const { engine, host, images, project, run, models, packages } = from;
  const disk = engineDisk(host);
  return {
    engine,
    host,
    images,
    freeSpace: async () => (disk === undefined ? undefined : await freeBytes(disk)),
    readerFor: trajectoryReader,
    readVerdict: { pytest: readPytestVerdict, script: readScriptVerdict },
    discovery: project.discovery,
    run,
    models,
    packages,
    owner: thisProcess(),
  };
}
