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
import type { Environment } from './environment.ts';
import { CACHE_DIR } from './load-experiment.ts';
import { HOME } from './version.ts';

/** Where Debian and its kin keep the certificates that an administrator added. */
export const HOST_CERTIFICATES = {
  caDir: '/usr/local/share/ca-certificates',
  bundlePath: '/etc/ssl/certs/ca-certificates.crt',
};

const PROXY_VARIABLE = /^(https?|ftp|all|no)_proxy$/i;

/** The host's proxy settings: they reach builds, where they stay in no layer, and the gateway's own connections to providers. */
export function proxyVariables(env: Environment['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => PROXY_VARIABLE.test(entry[0]) && !!entry[1],
    ),
  );
}

/** The engine that answers, and what it says of itself. Rejects with EngineError when none does. */
export async function reachEngine(environment: Environment): Promise<{ engine: Engine; host: EngineInfo }> {
  const engine = await connectEngine({ env: environment.env });
  return { engine, host: await engine.info(AbortSignal.timeout(10_000)) };
}

/** {@link reachEngine}, for commands that can say much without one: undefined when none answers. */
export async function engineIfAny(
  environment: Environment,
): Promise<{ engine: Engine; host: EngineInfo } | undefined> {
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
  return {
    engine,
    host,
    images,
    readerFor: trajectoryReader,
    readVerdict: { pytest: readPytestVerdict, script: readScriptVerdict },
    discovery: project.discovery,
    run,
    models,
    packages,
    owner: thisProcess(),
  };
}
