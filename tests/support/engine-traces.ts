import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';

const SETTLE_MS = 10_000;
const POLL_MS = 50;

/** Runs a command of the administrator's, wherever a user's PATH looks. */
export function asRoot(
  command: string,
  args: readonly string[],
  options: { readonly reject?: boolean } = {},
) {
  return execa(command, args, { ...options, env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` } });
}

/** By what everything can be told that belongs to an engine of a test's own. */
export interface EngineTraces {
  /** Holds its disk, its state and its sockets; the command lines of all its processes name it. */
  readonly dir: string;
  /** Of its network; what is in it goes with it. */
  readonly namespace: string;
}

/** What there is of an engine on the machine, whether it lives or not: `process 17`, `mount /x`, `namespace x`, `loop /dev/loop0`. */
export async function engineTraces(traces: EngineTraces): Promise<readonly string[]> {
  const [processes, mounts, namespaces, loops] = await Promise.all([
    processesOf(traces),
    mountsOf(traces),
    namespacesOf(traces),
    loopsOf(traces),
  ]);
  return [
    ...processes.map((pid) => `process ${pid}`),
    ...mounts.map((path) => `mount ${path}`),
    ...namespaces.map((name) => `namespace ${name}`),
    ...loops.map((name) => `loop ${name}`),
  ];
}

/** Removes what a dead engine left on the machine; throws where something stays. */
export async function clearEngine(traces: EngineTraces): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  for (let left = await engineTraces(traces); left.length > 0; left = await engineTraces(traces)) {
    if (performance.now() > until) throw new Error(`of the second engine is left: ${left.join(', ')}`);
    await clearOnce(traces);
    await sleep(POLL_MS);
  }
}

async function clearOnce(traces: EngineTraces): Promise<void> {
  for (const pid of await processesOf(traces)) end(pid);
  for (const path of await mountsOf(traces)) await asRoot('umount', ['-l', path], { reject: false });
  for (const name of await namespacesOf(traces))
    await asRoot('ip', ['netns', 'del', name], { reject: false });
  for (const name of await loopsOf(traces)) await asRoot('losetup', ['-d', name], { reject: false });
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The daemons, and what runs in containers: children of shims, whose command lines name the daemon's socket. */
async function processesOf({ dir }: EngineTraces): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const known = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      parent: Number((await textOf(`/proc/${pid}/stat`)).split(') ').at(-1)?.split(' ')[1]),
      isOurs:
        (await readlink(`/proc/${pid}/exe`).catch(() => '')) !== process.execPath &&
        (await textOf(`/proc/${pid}/cmdline`)).includes(dir),
    })),
  );
  const ours = new Set(known.filter(({ isOurs }) => isOurs).map(({ pid }) => pid));
  for (let size = -1; size !== ours.size; ) {
    size = ours.size;
    for (const { pid, parent } of known) if (ours.has(parent)) ours.add(pid);
  }
  return [...ours];
}

/** Deepest first. */
async function mountsOf({ dir }: EngineTraces): Promise<string[]> {
  const lines = (await textOf('/proc/self/mounts')).split('\n');
  const paths = lines.map((line) => line.split(' ')[1] ?? '');
  return paths.filter((path) => path.startsWith(`${dir}/`)).sort((a, b) => b.length - a.length);
}

async function namespacesOf({ namespace }: EngineTraces): Promise<string[]> {
  const names = await readdir('/run/netns').catch(() => []);
  return names.filter((name) => name === namespace);
}

async function loopsOf({ dir }: EngineTraces): Promise<string[]> {
  const { stdout } = await asRoot('losetup', ['-a']);
  const lines = stdout.split('\n').filter((line) => line.includes(`${dir}/`));
  return lines.map((line) => line.split(':')[0] ?? '');
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
