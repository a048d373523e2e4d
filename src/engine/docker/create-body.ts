import type { ContainerSpec, VolumeMount } from '../engine.ts';

/**
 * No memory of a program that crashes is left in a file. 0 and nothing else: an engine that has a lower limit itself cannot start a container with
 * a higher one. A program of the engine's host that takes core files by `core_pattern` is asked by this limit too, and decides itself.
 */
const NO_CORE_FILE = { Name: 'core', Soft: 0, Hard: 0 };

/**
 * The body of the create call. Everything that could give a container more than the spec says is set here, once:
 * no restart, no new privileges, no host paths, no engine log (output goes to our files alone).
 */
export function createBody(spec: ContainerSpec): Readonly<Record<string, unknown>> {
  return {
    Image: spec.image,
    Cmd: spec.command,
    // One empty string is the engine's word for "no entry point"; an empty list would mean the image's own.
    ...(spec.entrypoint === undefined
      ? {}
      : { Entrypoint: spec.entrypoint.length === 0 ? [''] : spec.entrypoint }),
    ...(spec.user === undefined ? {} : { User: spec.user }),
    ...(spec.workingDir === undefined ? {} : { WorkingDir: spec.workingDir }),
    Env: Object.entries(spec.env).map(([name, value]) => (value === null ? name : `${name}=${value}`)),
    Labels: spec.labels,
    Tty: spec.stdin === 'terminal',
    OpenStdin: spec.stdin !== undefined,
    // With the attached client's input the process's own ends, as a pipe's reader expects.
    StdinOnce: spec.stdin !== undefined,
    // A command of the image's that the engine would start by itself, beside the main process: an agent may have changed it.
    Healthcheck: { Test: ['NONE'] },
    AttachStdin: spec.stdin !== undefined,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      NanoCpus: Math.round(spec.cpus * 1e9),
      Memory: spec.memoryBytes,
      MemorySwap: spec.memoryBytes,
      PidsLimit: spec.pids,
      Init: true,
      AutoRemove: false,
      Privileged: false,
      RestartPolicy: { Name: 'no' },
      SecurityOpt: ['no-new-privileges'],
      Ulimits: [NO_CORE_FILE],
      NetworkMode: spec.network,
      ...(spec.sealed === true ? { ReadonlyRootfs: true, CapDrop: ['ALL'] } : {}),
      ...(spec.hosts === undefined
        ? {}
        : { ExtraHosts: Object.entries(spec.hosts).map(([name, address]) => `${name}:${address}`) }),
      LogConfig: { Type: 'none' },
      Mounts: spec.mounts.map(mountBody),
    },
  };
}

function mountBody(mount: VolumeMount): Readonly<Record<string, unknown>> {
  return {
    Type: 'volume',
    ...(mount.volume === undefined ? {} : { Source: mount.volume }),
    Target: mount.target,
    ReadOnly: mount.readOnly,
    VolumeOptions: { NoCopy: mount.noCopy },
  };
}
