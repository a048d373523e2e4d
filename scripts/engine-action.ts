/** What is known of a machine on which no container engine answers. */
export interface MachineState {
  /** Address whose socket is there but does not let this user in. */
  readonly refused?: string;
  /** DOCKER_HOST, where it is set: then only that engine counts. */
  readonly dockerHost?: string;
  readonly isRoot: boolean;
  /** Debian, Ubuntu and what is made of them. */
  readonly hasApt: boolean;
  /** `dockerd` is on the PATH. */
  readonly isInstalled: boolean;
  /** A `dockerd` process lives, though it does not answer (yet). */
  readonly isRunning: boolean;
}

/** What to do about it. `explain` ends the set-up with exit code 3. */
export type EngineAction =
  | { readonly kind: 'wait' }
  | { readonly kind: 'start' }
  | { readonly kind: 'install' }
  | { readonly kind: 'explain'; readonly message: string; readonly repair: string };

/** Decides; pure. An engine that somebody configured or started is never joined by a second one. */
export function engineAction(state: MachineState): EngineAction {
  if (state.dockerHost !== undefined) {
    return {
      kind: 'explain',
      message: `no container engine answers at DOCKER_HOST (${state.dockerHost})`,
      repair: 'start that engine, or unset DOCKER_HOST to use the one of this machine',
    };
  }
  if (state.refused !== undefined) {
    return {
      kind: 'explain',
      message: `the container engine at ${state.refused} does not let this user in`,
      repair: 'sudo usermod -aG docker "$USER", then log in again',
    };
  }
  if (state.isRunning) return { kind: 'wait' };
  if (!state.isRoot) return explainToUser(state);
  if (state.isInstalled) return { kind: 'start' };
  if (state.hasApt) return { kind: 'install' };
  return {
    kind: 'explain',
    message: 'no container engine answers, and this system has no apt-get to install one with',
    repair: 'install Docker (or Podman with its Docker socket), start it, and run this again',
  };
}

function explainToUser({ isInstalled, hasApt }: MachineState): EngineAction {
  const message = 'no container engine answers, and only root may start one';
  if (isInstalled) return { kind: 'explain', message, repair: 'sudo systemctl start docker' };
  const repair = hasApt
    ? 'sudo apt-get install docker.io && sudo usermod -aG docker "$USER", then log in again; or set DOCKER_HOST'
    : 'install Docker (or Podman with its Docker socket) and start it; or set DOCKER_HOST';
  return { kind: 'explain', message, repair };
}
