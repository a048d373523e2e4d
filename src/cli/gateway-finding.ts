import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thisProcess } from '../base/lock-file.ts';
import { type Engine, type ImageId, LABEL, type Network, ownerLabels } from '../engine/engine.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { startGateway } from '../gateway/start-gateway.ts';
import { ModelSettings } from '../model/model-settings.ts';
import type { OpenWay } from '../run/gateway-reach.ts';
import { releasing } from '../run/release.ts';
import { imageStore } from './compose.ts';
import type { Finding } from './diagnosis.ts';
import type { Environment } from './environment.ts';
import { CANARY_EXPERIMENT, loadExperiment, machineSettings } from './load-experiment.ts';
import { openWays } from './ways.ts';

const WHAT = 'model gateway';
/** Making the image that probe and relay run from may take its time on a new machine. */
const BUDGET_MS = 10 * 60_000;
const ASK = `import sys, urllib.request
urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1], timeout=10)`;

/** The way from an internal network to the gateway, proved by a container there that asks. */
export async function gatewayFinding(environment: Environment, engine: Engine): Promise<Finding> {
  const leftBehind: string[] = [];
  try {
    const detail = await tryWay(environment, engine, (what) => leftBehind.push(what));
    if (leftBehind.length === 0) return { what: WHAT, state: 'ok', detail };
    const rest = `left behind: ${leftBehind.join('; ')}`;
    return { what: WHAT, state: 'warning', detail: `${detail}; ${rest}`, repair: 'skillpair clean' };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const repair =
      'see "The way to the model gateway" in docs/machine.md: models.reach and models.hostAddress of .skillpair/machine.yaml';
    return { what: WHAT, state: 'fault', detail, repair };
  }
}

async function tryWay(
  environment: Environment,
  engine: Engine,
  leftBehind: (what: string) => void,
): Promise<string> {
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  const stop = AbortSignal.timeout(BUDGET_MS);
  const images = imageStore(environment, engine, { project, emit: () => undefined, stop });
  const { models: settings } = await machineSettings(environment);
  const run = `doctor-${randomBytes(4).toString('hex')}`;
  await using gateway = await startGateway({
    hosts: ['127.0.0.1'],
    settings: ModelSettings.parse({ mode: 'scripted' }),
    respond: () => () => Promise.reject(new Error('nobody is admitted')),
    secrets: [],
  });
  const say = () => undefined;
  await using ways = openWays(gateway, { engine, run, images, settings, stop, say, leftBehind });
  const network = await ways.networks.get('closed');
  const way = await ways.reach.from(network);
  const image = await images.ownBase(stop);
  await ask(engine, gateway, { image, network, way, run, stop, leftBehind });
  return way.kind === 'direct'
    ? `direct: containers reach it at the network's address (tried at ${way.place})`
    : `by relay: containers reach it at the network's address (tried at ${way.place}), the relay at ${way.through}`;
}

async function ask(
  engine: Engine,
  gateway: Gateway,
  from: {
    readonly image: ImageId;
    readonly network: Network;
    readonly way: OpenWay;
    readonly run: string;
    readonly stop: AbortSignal;
    readonly leftBehind: (what: string) => void;
  },
): Promise<void> {
  const { image, network, way, run, stop } = from;
  using knock = gateway.expectKnock();
  const labels = { [LABEL.managed]: '1', [LABEL.kind]: 'probe', [LABEL.run]: run };
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-probe-'));
  try {
    const spec = {
      ...{ name: `${network.name}-probe`, image, network: network.name, sealed: true, user: '65534:65534' },
      ...{ entrypoint: [], command: ['python3', '-I', '-B', '-c', ASK, `http://${way.place}${knock.path}`] },
      ...{ env: {}, labels: { ...labels, ...ownerLabels(thisProcess()) }, mounts: [] },
      ...{ cpus: 1, memoryBytes: 128 * 2 ** 20, pids: 16 },
    };
    const container = await engine.createContainer(spec, stop);
    await using _probe = releasing(container, from.leftBehind);
    const [stdoutPath, stderrPath] = [join(dir, 'stdout'), join(dir, 'stderr')];
    const timing = { timeoutMs: 30_000, graceMs: 100, signal: stop };
    const exit = await container.runMain({ stdoutPath, stderrPath, ...timing });
    if (exit.exitCode === 0) return;
    const said = (await readFile(stderrPath, 'utf8')).trim().split('\n').at(-1);
    throw new Error(
      `a container on an internal network cannot reach it at ${way.place}: ${said ?? 'it is silent'}`,
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
