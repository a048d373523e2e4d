import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { engineAddresses } from '../src/engine/docker/addresses.ts';
import type { MachineState } from './engine-action.ts';

/** Looks at the machine; changes nothing. */
export function machineState(env: NodeJS.ProcessEnv): MachineState {
  const refused = engineAddresses(env).find(({ address }) => isRefused(address))?.address;
  return {
    ...(refused === undefined ? {} : { refused }),
    ...(env.DOCKER_HOST ? { dockerHost: env.DOCKER_HOST } : {}),
    isRoot: process.getuid?.() === 0,
    hasApt: onPath('apt-get', env) !== undefined,
    isInstalled: onPath('dockerd', env) !== undefined,
    isRunning: readDaemonPid('/var/run/docker.pid', 'dockerd') !== undefined,
  };
}

/** The pid in a daemon's pid file, if that process lives and is this daemon (a pid may have been given to another since). */
export function readDaemonPid(pidFile: string, name: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isRefused(address: string): boolean {
  const path = address.replace('unix://', '');
  if (path === address || !existsSync(path)) return false;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** Where a command lies; root's folders are looked at too, whatever the PATH. */
export function onPath(command: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}
