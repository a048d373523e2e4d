import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { execa } from 'execa';
import { onPath, readDaemonPid } from './machine-state.ts';
import { stateFile } from './state-file.ts';

const PID_FILES = { dockerd: '/var/run/docker.pid', containerd: '/var/run/docker/containerd/containerd.pid' };
const TAIL_LINES = 15;

/** A daemon that was told to start and lives on after this process. */
export interface StartedDaemon {
  /** Fires when it ends while we watch. */
  readonly ended: AbortSignal;
  readonly logPath: string;
  /** The last lines of its log. */
  readonly logTail: () => Promise<string>;
}

/** Starts dockerd: by the service manager where there is one, else detached with a log file. Says so in one line. */
export async function startDaemon(): Promise<StartedDaemon> {
  const logPath = await stateFile('dockerd.log');
  const ended = new AbortController();
  const logTail = async () =>
    (await readFile(logPath, 'utf8')).trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  console.error(`setup: starting the container engine (dockerd; log: ${logPath}) ...`);
  const output = await open(logPath, 'a');
  try {
    if (existsSync('/run/systemd/system')) {
      const sink = { file: logPath, append: true };
      await execa('systemctl', ['start', 'docker'], {
        reject: false,
        stdin: 'ignore',
        stdout: sink,
        stderr: sink,
      });
    } else {
      await removeStalePidFiles();
      const daemon = spawn(onPath('dockerd', process.env) ?? 'dockerd', [], {
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
        // It outlives this project's folder, and its own programs lie where a user's PATH may not look.
        cwd: '/',
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
      });
      daemon.on('exit', () => ended.abort()).on('error', () => ended.abort());
      daemon.unref();
    }
  } finally {
    await output.close();
  }
  return { ended: ended.signal, logPath, logTail };
}

/** A daemon refuses to start while its pid file names a living process, even one that is quite another program by now. */
async function removeStalePidFiles(): Promise<void> {
  for (const [name, pidFile] of Object.entries(PID_FILES)) {
    if (readDaemonPid(pidFile, name) === undefined) await rm(pidFile, { force: true });
  }
}
