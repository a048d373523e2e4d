import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { installPackages } from '../../scripts/install-packages.ts';
import { onPath } from '../../scripts/machine-state.ts';
import { asRoot, clearEngine, type EngineTraces } from './engine-traces.ts';

const NAME = 'skillpair-engine-';
const ANSWER_MS = 60_000;
const POLL_MS = 50;
/** Of a full disk, what a file system takes to tell where a large file lies, and more. */
const ROUGHLY = 16 * 2 ** 20;
/** dockerd gives its containers 15 s to end before it kills them. */
const END_MS = 40_000;

/** How the engine is made. */
export interface OwnEngineOptions {
  /** Of the disk that holds images and containers. */
  readonly diskBytes: number;
  /** How many networks it has addresses for. */
  readonly networks: number;
}

/** A container engine of a test's own, beside the one of the machine: whatever can happen to an engine may happen to it. */
export interface OwnEngine extends AsyncDisposable {
  /** For DOCKER_HOST. */
  readonly address: string;
  /** By what its containers on the network of its host reach this machine. */
  readonly hostAddress: string;
  /** Runs `docker` on it. */
  docker(...args: readonly string[]): Promise<string>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Resolves when its process has ended. TERM ends its containers in an orderly way, KILL leaves them to the next start. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Fills its disk but for so many bytes. */
  fillDisk(leftBytes: number): Promise<void>;
  emptyDisk(): Promise<void>;
  /** Images that the machine's engine has, under the same names. */
  take(...images: readonly string[]): Promise<void>;
}

/**
 * Starts a second dockerd with a containerd, a disk (an image file on a loop device) and a network namespace of its own: in that of another
 * engine it would remove the other's bridge, whatever its own is called. Disposing removes all of it, also where the engine has died. Needs root.
 */
export async function makeOwnEngine({ diskBytes, networks }: OwnEngineOptions): Promise<OwnEngine> {
  if (onPath('ip', process.env) === undefined) await installPackages(['iproute2'], false);
  await clearDead();
  const dir = await mkdtemp(join(tmpdir(), `${NAME}${process.pid}-`));
  const { number, ...traces } = tracesOf(dir, process.pid);
  const { namespace } = traces;
  const state: { daemon?: ChildProcess } = {};
  const dispose = async () => {
    await endDaemon(state.daemon, 'SIGTERM');
    await clearEngine(traces);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await makeDisk(dir, diskBytes);
    await makeNamespace(namespace, number);
    await writeFile(join(dir, 'daemon.json'), poolOf(number, networks));
  } catch (error) {
    await dispose();
    throw error;
  }
  const address = `unix://${join(dir, 'engine.sock')}`;
  const docker = async (...args: readonly string[]) =>
    (await execa('docker', args, { env: { DOCKER_HOST: address } })).stdout;
  const ballast = join(dir, 'data', 'ballast');
  const engine: OwnEngine = {
    address,
    hostAddress: `10.214.${number}.1`,
    docker,
    start: async () => {
      state.daemon = startDaemon(dir, namespace);
      await firstAnswer(state.daemon, docker, dir);
    },
    end: async (signal) => {
      await endDaemon(state.daemon, signal);
      // Its containerd dies with it. A machine whose first process reaps nobody shows that as a living one to the next dockerd.
      await rm(join(dir, 'run/containerd/containerd.pid'), { force: true });
    },
    fillDisk: (leftBytes) => fill(ballast, leftBytes),
    emptyDisk: () => rm(ballast, { force: true }),
    take: async (...images) => {
      const archive = join(dir, 'images.tar');
      await execa('docker', ['save', '-o', archive, ...images]);
      await docker('load', '-q', '-i', archive);
      await rm(archive);
    },
    [Symbol.asyncDispose]: dispose,
  };
  try {
    await engine.start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return engine;
}

/** By the process that made it, since two engines of two tests must not share an address. */
function tracesOf(dir: string, pid: number): EngineTraces & { readonly number: number } {
  const number = pid % 250;
  return { number, dir, namespace: `skillpair-${number}` };
}

/** A test that was killed disposes of nothing. */
async function clearDead(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(name.startsWith(NAME) ? name.slice(NAME.length).split('-')[0] : 0);
    if (pid === 0 || existsSync(`/proc/${pid}`)) continue;
    const dir = join(tmpdir(), name);
    await clearEngine(tracesOf(dir, pid));
    await rm(dir, { recursive: true, force: true });
  }
}

/** A disk of its own: nothing that the engine does can fill the machine's, and what is left of it is known to a byte. */
async function makeDisk(dir: string, bytes: number): Promise<void> {
  const image = join(dir, 'disk.img');
  await writeFile(image, '');
  await truncate(image, bytes);
  // Nothing kept for root: the engine is root, and what is left for anybody is what is left.
  await asRoot('mkfs.ext4', ['-q', '-m', '0', image]);
  await mkdir(join(dir, 'data'));
  await asRoot('mount', ['-o', 'loop', image, join(dir, 'data')]);
}

/** It outlives the engine's process, as a machine does. A pair of links leads out of it, and nowhere further than to this machine. */
async function makeNamespace(namespace: string, number: number): Promise<void> {
  const [here, there] = [`skp${number}a`, `skp${number}b`];
  await asRoot('ip', ['netns', 'add', namespace]);
  await asRoot('ip', ['link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', namespace]);
  await asRoot('ip', ['addr', 'add', `10.214.${number}.1/30`, 'dev', here]);
  await asRoot('ip', ['link', 'set', here, 'up']);
  await asRoot('ip', ['-n', namespace, 'addr', 'add', `10.214.${number}.2/30`, 'dev', there]);
  for (const link of ['lo', there]) await asRoot('ip', ['-n', namespace, 'link', 'set', link, 'up']);
}

/** To the last block first, so that what is left is what is given back. */
async function fill(ballast: string, leftBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(ballast));
  await execa('fallocate', ['-l', String(Math.max(bsize, bavail * bsize - ROUGHLY)), ballast]);
  await execa('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64K', 'oflag=append', 'conv=notrunc'], {
    reject: false,
  });
  await truncate(ballast, (await stat(ballast)).size - leftBytes);
}

/** Networks of eight addresses each; the bridge may take one, too. */
function poolOf(number: number, networks: number): string {
  const size = 29;
  const pools = Array.from({ length: networks + 1 }, (_, at) => ({
    base: `10.213.${number}.${at * 8}/${size}`,
    size,
  }));
  return JSON.stringify({ 'default-address-pools': pools });
}

function startDaemon(dir: string, namespace: string): ChildProcess {
  const log = openSync(join(dir, 'dockerd.log'), 'a');
  const words = [
    ...[`--net=/run/netns/${namespace}`, '--', 'setpriv', '--pdeathsig', 'KILL', '--'],
    ...[onPath('dockerd', process.env) ?? 'dockerd', '--config-file', join(dir, 'daemon.json')],
    ...['--data-root', join(dir, 'data'), '--exec-root', join(dir, 'run'), '--pidfile', join(dir, 'pid')],
    ...['--host', `unix://${join(dir, 'engine.sock')}`],
    ...['--iptables=false', '--ip6tables=false', '--ip-masq=false', '--ip-forward=false'],
  ];
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  try {
    return spawn('nsenter', words, { cwd: '/', env, stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
}

async function firstAnswer(daemon: ChildProcess, docker: OwnEngine['docker'], dir: string): Promise<void> {
  for (const until = performance.now() + ANSWER_MS; performance.now() < until && !hasEnded(daemon); ) {
    if (
      await docker('version').then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(POLL_MS);
  }
  const log = await readFile(join(dir, 'dockerd.log'), 'utf8');
  throw new Error(`the second engine does not answer; the end of its log:\n${log.slice(-3000)}`);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function endDaemon(daemon: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (daemon === undefined || hasEnded(daemon)) return;
  const ended = once(daemon, 'exit');
  daemon.kill(signal);
  const timer = setTimeout(() => daemon.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(timer);
}
