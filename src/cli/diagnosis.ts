import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Engine, EngineInfo } from '../engine/engine.ts';
import { COMMAND } from '../model/command.ts';
import { runCommand } from './commands/run.ts';
import type { Environment } from './environment.ts';
import { EXIT } from './exit-code.ts';
import { CANARY_EXPERIMENT, loadExperiment } from './load-experiment.ts';
import { lookAtImages } from './look-at-images.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly detail: string;
  readonly repair?: string;
}

const GIB = 2 ** 30;
/** Bridge networks that Docker's built-in address pools hold: 15 of /16 and 16 of /20. */
const DEFAULT_POOL = 31;

/** Version, platform, storage and address pools. */
export async function engineFindings(engine: Engine, host: EngineInfo): Promise<Finding[]> {
  const [major = 0, minor = 0] = host.apiVersion.split('.').map(Number);
  const recent = major > 1 || minor >= 41;
  const networks = await engine.networkCount(AbortSignal.timeout(10_000));
  return [
    {
      what: 'engine',
      state: recent ? 'ok' : 'fault',
      detail: `version ${host.version}, API ${host.apiVersion}, at ${host.address}`,
      repair: 'API 1.41 (Docker 20.10) or later is needed: upgrade the engine',
    },
    {
      what: 'platform',
      state: host.platform.startsWith('linux/') ? 'ok' : 'fault',
      detail: `${host.platform}, ${host.cpus} cpus, ${(host.memoryBytes / GIB).toFixed(1)} GiB`,
      repair: 'tasks are Linux containers: switch the engine to Linux containers',
    },
    {
      what: 'storage',
      state: host.storageDriver === 'vfs' ? 'warning' : 'ok',
      detail: host.storageDriver,
      repair: 'vfs copies every layer: configure overlay2',
    },
    {
      what: 'networks',
      state: networks < DEFAULT_POOL - 3 ? 'ok' : 'warning',
      detail: `${networks} exist; the built-in address pools hold ${DEFAULT_POOL}`,
      repair: 'remove unused networks, or give the engine more default-address-pools',
    },
  ];
}

/** Space where the engine keeps images; unknown when the engine runs on another host. */
export async function diskFinding(host: EngineInfo): Promise<Finding> {
  const space = await statfs(host.rootDir).catch(() => undefined);
  if (space === undefined)
    return { what: 'disk', state: 'ok', detail: `${host.rootDir} is not on this host; not looked at` };
  const free = (space.bavail * space.bsize) / GIB;
  return {
    what: 'disk',
    state: free < 1 ? 'fault' : free < 5 ? 'warning' : 'ok',
    detail: `${free.toFixed(1)} GiB free in ${host.rootDir}`,
    repair: `free space: ${COMMAND} clean --images, or remove unused images of your own`,
  };
}

/** Images and bundles that the canary needs: there, to be built, or impossible. */
export async function bundleFindings(environment: Environment, engine: Engine): Promise<Finding[]> {
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  const { tasks, configurations } = project;
  const images = await lookAtImages({ project, tasks, configurations, engine });
  return images.map(({ what, exists, problem }) => ({
    what,
    state: problem === undefined ? 'ok' : 'fault',
    detail: problem ?? (exists ? 'there' : 'will be built when first needed'),
    repair: 'see the message; images.substitute names a local image that stands in',
  }));
}

/** One whole trial on this machine, in a folder of its own that is removed. */
export async function canaryFinding(environment: Environment): Promise<Finding> {
  const runs = await mkdtemp(join(tmpdir(), 'skillpair-doctor-'));
  const sink = new PassThrough();
  const silent = { stream: sink, isTty: false, columns: 120 };
  const output = text(sink);
  try {
    const from = performance.now();
    const flags = { runs, junitBaseline: 'failure', quiet: true, json: false } as const;
    const code = await runCommand(
      { ...environment, stdout: silent, stderr: silent },
      [CANARY_EXPERIMENT],
      flags,
    );
    sink.end();
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    if (code === EXIT.ok) return { what: 'canary trial', state: 'ok', detail: `passed in ${seconds} s` };
    return {
      what: 'canary trial',
      state: 'fault',
      detail: (await output).trim(),
      repair: 'mend what is named above it',
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { what: 'canary trial', state: 'fault', detail, repair: 'mend what is named' };
  } finally {
    sink.end();
    await rm(runs, { recursive: true, force: true });
  }
}
