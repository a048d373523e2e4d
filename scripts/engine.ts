import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { engineAction } from './engine-action.ts';
import { probeEngine, readDaemonPid } from './engine-probe.ts';
import { installPackages } from './install-packages.ts';
import { machineLock } from './machine-lock.ts';
import { runMain, SetupFailure } from './setup-failure.ts';
import { stateFile } from './state-file.ts';

const START_TIMEOUT_MS = 90_000;
const POLL_MS = 200;
const DAEMONS = { dockerd: '/var/run/docker.pid', containerd: '/var/run/docker/containerd/containerd.pid' };

/**
 * Makes a container engine answer and returns its address. One that answers is used as it is; else, as root on a system
 * with apt, Docker is installed and started, which one line says. Rejects with {@link SetupFailure}.
 */
export async function ensureEngine(): Promise<string> {
  const found = (await probeEngine()).answered;
  if (found !== undefined) return found;
  await using _lock = await machineLock('engine');
  return await bringUp(await probeEngine());
}

async function bringUp(probe: Awaited<ReturnType<typeof probeEngine>>): Promise<string> {
  const action = engineAction(probe);
  switch (action.kind) {
    case 'use':
      return action.address;
    case 'explain':
      throw new SetupFailure(action.message, { repair: action.repair });
    case 'wait':
      return waitForAnswer();
    case 'start':
      return startDaemon();
    case 'install': {
      console.error(
        'setup: no container engine answers; installing and starting Docker (apt-get install docker.io) ...',
      );
      await installPackages(['docker.io'], false);
      // The package starts its service where the system has a service manager that may.
      const { answered, isRunning } = await probeEngine();
      return answered ?? (isRunning ? waitForAnswer() : startDaemon());
    }
  }
}

async function startDaemon(): Promise<string> {
  const log = await stateFile('dockerd.log');
  console.error(`setup: starting the container engine (dockerd; log: ${log}) ...`);
  if (existsSync('/run/systemd/system')) {
    await execa('systemctl', ['start', 'docker'], { reject: false, stdin: 'ignore' });
    return waitForAnswer();
  }
  await removeStalePidFiles();
  const output = await open(log, 'a');
  const daemon = spawn('dockerd', [], { detached: true, stdio: ['ignore', output.fd, output.fd] });
  await output.close();
  const gone = Promise.race([once(daemon, 'exit'), once(daemon, 'error')]);
  daemon.unref();
  try {
    return await Promise.race([waitForAnswer(), gone.then(() => Promise.reject(new Error('dockerd ended')))]);
  } catch (error) {
    const tail = (await readFile(log, 'utf8')).trimEnd().split('\n').slice(-15).join('\n');
    throw new SetupFailure(`dockerd does not start; the end of its log:\n${tail}`, {
      repair: `see ${log}`,
      cause: error,
    });
  }
}

/** A daemon refuses to start while its pid file names a living process, even one that is quite another program by now. */
async function removeStalePidFiles(): Promise<void> {
  for (const [name, pidFile] of Object.entries(DAEMONS)) {
    if (readDaemonPid(pidFile, name) === undefined) await rm(pidFile, { force: true });
  }
}

async function waitForAnswer(): Promise<string> {
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; ) {
    const { answered } = await probeEngine();
    if (answered !== undefined) return answered;
    await delay(POLL_MS);
  }
  throw new SetupFailure(`a container engine runs but has not answered for ${START_TIMEOUT_MS / 1000} s`, {
    repair: 'look at its log (journalctl -u docker, or .skillpair/dockerd.log) and restart it',
  });
}

if (import.meta.main) {
  await runMain(async () => {
    console.log(`container engine: ${await ensureEngine()}`);
    return 0;
  });
}
