import { posix } from 'node:path';

/** A place where an engine may listen, and why it is tried. */
export interface EngineAddress {
  readonly address: string;
  readonly origin: string;
}

const SYSTEM_SOCKET = '/var/run/docker.sock';
const SYSTEM_PODMAN_SOCKET = '/run/podman/podman.sock';

/**
 * Where to look for an engine, in order. `DOCKER_HOST`, once set, is the only place: work meant for one engine must
 * not run on another because the first is down.
 */
export function engineAddresses(env: Readonly<Record<string, string | undefined>>): readonly EngineAddress[] {
  const { DOCKER_HOST: host, XDG_RUNTIME_DIR: runtimeDir, HOME: home } = env;
  if (host !== undefined && host.trim() !== '') return [{ address: host.trim(), origin: 'DOCKER_HOST' }];
  const socket = (origin: string, ...parts: readonly (string | undefined)[]): EngineAddress[] =>
    parts.some((part) => part === undefined || part === '')
      ? []
      : [{ address: `unix://${posix.join(...(parts as string[]))}`, origin }];
  return [
    ...socket('system', SYSTEM_SOCKET),
    ...socket('rootless', runtimeDir, 'docker.sock'),
    ...socket('rootless', home, '.docker/run/docker.sock'),
    ...socket('desktop', home, '.docker/desktop/docker.sock'),
    ...socket('podman', runtimeDir, 'podman/podman.sock'),
    ...socket('podman', SYSTEM_PODMAN_SOCKET),
  ];
}
