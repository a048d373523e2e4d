import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container, ContainerSpec, Engine, ImageId } from '../engine/engine.ts';
import type { MainExit } from '../engine/main-process.ts';
import type { ExpectedKnock, Knock } from '../gateway/gateway.ts';
import { releasing } from './release.ts';

/** The relay looks for the gateway within this, image and engine being there. */
const START_BUDGET_MS = 60_000;
const PROGRAM = join(import.meta.dirname, 'relay.py');
const NOBODY = '65534:65534';

/** What a relay is started with. */
export interface RelayFrom {
  readonly engine: Engine;
  /** With Python 3. */
  readonly image: ImageId;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Where it listens: the address of a network's gateway, which is the engine's host's. */
  readonly address: string;
  /** Port of the model gateway on the runner's host. */
  readonly gatewayPort: number;
  /** Names of the runner's host, to be tried in this order. */
  readonly hosts: readonly string[];
  readonly knock: ExpectedKnock;
  readonly stop: AbortSignal;
  readonly leftBehind: (what: string) => void;
}

/** A relay that has come through to the gateway. Disposing removes it. */
export interface Relay extends AsyncDisposable {
  /** `host:port`. */
  readonly place: string;
  /** Which of the names led to the gateway. */
  readonly through: string;
  /** Fires when it has ended or has lost the gateway. */
  readonly lost: AbortSignal;
}

/** Starts a relay and waits until the gateway has heard of it. Rejects with EngineError, or with the relay's own words as an Error. */
export async function startRelay(from: RelayFrom): Promise<Relay> {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-relay-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  const container = await from.engine.createContainer(await relaySpec(from), from.stop);
  stack.use(releasing(container, from.leftBehind));
  const end = new AbortController();
  const main = runRelay(container, dir, end.signal);
  stack.defer(async () => {
    end.abort();
    await main.catch(() => undefined);
  });
  const knock = await heard(from, main, dir);
  const lost = AbortSignal.any([knock.gone, settled(main)]);
  const owned = stack.move();
  return {
    place: `${from.address}:${knock.told.port}`,
    through: knock.told.through ?? '',
    lost,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * On the host's own network, since containers on a network of ours reach no other container, only the engine's host. It can write nothing, may do nothing that needs a right, and listens at that one address.
 */
async function relaySpec(from: RelayFrom): Promise<ContainerSpec> {
  const program = await readFile(PROGRAM, 'utf8');
  const words = [from.address, String(from.gatewayPort), from.knock.path, ...from.hosts];
  return {
    name: from.name,
    image: from.image,
    entrypoint: [],
    command: ['python3', '-I', '-B', '-c', program, ...words],
    user: NOBODY,
    workingDir: '/',
    env: {},
    labels: from.labels,
    cpus: 1,
    memoryBytes: 256 * 2 ** 20,
    pids: 16,
    network: 'host',
    sealed: true,
    hosts: from.hosts.includes('host.docker.internal') ? { 'host.docker.internal': 'host-gateway' } : {},
    mounts: [],
  };
}

function runRelay(container: Container, dir: string, signal: AbortSignal): Promise<MainExit> {
  const main = container.runMain({
    stdoutPath: join(dir, 'stdout.log'),
    stderrPath: join(dir, 'stderr.log'),
    timeoutMs: Number.MAX_SAFE_INTEGER,
    graceMs: 1000,
    signal,
  });
  main.catch(() => undefined);
  return main;
}

/** The knock, or what the relay says when it gives up. */
async function heard({ knock, stop }: RelayFrom, main: Promise<MainExit>, dir: string): Promise<Knock> {
  const tooLate = AbortSignal.any([stop, AbortSignal.timeout(START_BUDGET_MS)]);
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`the relay did not come through in ${START_BUDGET_MS / 1000} s`));
    if (tooLate.aborted) fail();
    tooLate.addEventListener('abort', fail, { once: true });
  });
  const ended = main.then(async ({ exitCode }): Promise<never> => {
    const said = (await readFile(join(dir, 'stderr.log'), 'utf8')).trim();
    throw new Error(said === '' ? `the relay ended with ${exitCode}` : said);
  });
  return Promise.race([knock.heard, ended, late]);
}

function settled(main: Promise<unknown>): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  main.then(abort, abort);
  return controller.signal;
}
