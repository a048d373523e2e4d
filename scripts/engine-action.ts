/** What is known of this machine before anything is done about a container engine. */
export interface EngineProbe {
  /** Address of the first engine that answered. */
  readonly answered?: string;
  /** Address whose socket is there but does not let this user in. */
  readonly refused?: string;
  /** DOCKER_HOST, where it is set: then only that engine counts. */
  readonly dockerHost?: string;
  readonly isRoot: boolean;
  /** Debian, Ubuntu and what is made of them. */
  readonly hasApt: boolean;
  /** `dockerd` is on the PATH. */
  readonly isInstalled: boolean;
  /** A `dockerd` process lives, answering or not. */
  readonly isRunning: boolean;
}

/** What to do about the engine. `explain` ends the set-up with exit code 3. */
export type EngineAction =
  | { readonly kind: 'use'; readonly address: string }
  | { readonly kind: 'wait' }
  | { readonly kind: 'start' }
  | { readonly kind: 'install' }
  | { readonly kind: 'explain'; readonly message: string; readonly repair: string };

/** Decides; pure. An engine that somebody configured or started is never joined by a second one. */
export function engineAction(probe: EngineProbe): EngineAction {
  if (probe.answered !== undefined) return { kind: 'use', address: probe.answered };
  if (probe.dockerHost !== undefined) {
    return {
      kind: 'explain',
      message: `no container engine answers at DOCKER_HOST (${probe.dockerHost})`,
      repair: 'start that engine, or unset DOCKER_HOST to use the one of this machine',
    };
  }
  if (probe.refused !== undefined) {
    return {
      kind: 'explain',
      message: `the container engine at ${probe.refused} does not let this user in`,
      repair: 'add yourself to its group (sudo usermod -aG docker "$USER", then log in again)',
    };
  }
  if (probe.isRunning) return { kind: 'wait' };
  if (!probe.isRoot) return notRoot(probe);
  if (probe.isInstalled) return { kind: 'start' };
  if (probe.hasApt) return { kind: 'install' };
  return {
    kind: 'explain',
    message: 'no container engine answers, and this system has no apt-get to install one with',
    repair: 'install Docker (or Podman with its Docker socket), start it, and run this again',
  };
}

function notRoot(probe: EngineProbe): EngineAction {
  const message = 'no container engine answers, and only root may start one';
  if (probe.isInstalled) return { kind: 'explain', message, repair: 'sudo systemctl start docker' };
  const repair = probe.hasApt
    ? 'sudo apt-get install docker.io && sudo usermod -aG docker "$USER", then log in again; or set DOCKER_HOST'
    : 'install Docker (or Podman with its Docker socket) and start it; or set DOCKER_HOST';
  return { kind: 'explain', message, repair };
}
