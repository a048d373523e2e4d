import type { Readable } from 'node:stream';
import type { LockOwner } from '../base/lock-file.ts';
import type { MainExit, RunMainOptions, RunTerminalOptions } from './main-process.ts';

/** An image's content id, `sha256:…`. Containers are created from these only. */
export type ImageId = string & { readonly brand?: 'ImageId' };

/** Label keys of everything we make on an engine; `managed` is always `1`, `subject` the task, harness or base that it was made for. */
export const LABEL = {
  managed: 'skillpair.managed',
  run: 'skillpair.run',
  trial: 'skillpair.trial',
  attempt: 'skillpair.attempt',
  ownerPid: 'skillpair.owner-pid',
  ownerHost: 'skillpair.owner-host',
  ownerLife: 'skillpair.owner-life',
  kind: 'skillpair.kind',
  digest: 'skillpair.digest',
  subject: 'skillpair.subject',
} as const;

/** Labels that tell whose an object is, so that a later sweep knows whether its owner still lives. */
export function ownerLabels({ pid, host, life }: LockOwner): Record<string, string> {
  return { [LABEL.ownerPid]: String(pid), [LABEL.ownerHost]: host, ...(life && { [LABEL.ownerLife]: life }) };
}

/** What went wrong inside the engine, by kind; `unreachable` means nobody answered, `too-deep` that a path is too long for it to walk. */
export type EngineErrorKind =
  | 'unreachable'
  | 'not-found'
  | 'conflict'
  | 'build-failed'
  | 'build-timeout'
  | 'no-space'
  | 'no-addresses'
  | 'too-deep'
  | 'platform'
  | 'protocol'
  | 'aborted'
  | 'other';

/** An engine call that failed: which call, the engine's own reason, and the cause. Knows no phases. */
export class EngineError extends Error {
  readonly operation: string;
  readonly kind: EngineErrorKind;
  constructor(operation: string, kind: EngineErrorKind, detail: string, options?: { cause?: unknown }) {
    super(`${operation}: ${detail}`, options);
    this.name = 'EngineError';
    this.operation = operation;
    this.kind = kind;
  }
}

/** What the engine says of itself; `platform` is `linux/amd64` and the like. */
export interface EngineInfo {
  readonly address: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly platform: string;
  readonly storageDriver: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Where images and containers lie on the engine's host. */
  readonly rootDir: string;
}

/** An image as the engine knows it. */
export interface ImageInfo {
  readonly id: ImageId;
  readonly tags: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly platform: string;
  readonly sizeBytes: number;
  readonly layers: number;
  readonly user: string;
  /** Absolute; `/` where the image sets none. */
  readonly workingDir: string;
  readonly env: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** Paths that become an anonymous volume in every container: neither its changes nor its commits have what is in them. */
  readonly volumes: readonly string[];
}

/** One image build. The context is a tar that holds the Dockerfile too. */
export interface BuildSpec {
  readonly context: () => Readable;
  readonly dockerfile: string;
  readonly tag: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly platform?: string;
  readonly network?: 'none' | 'default';
  /** Every step is done anew, whatever the engine has of earlier builds. */
  readonly noCache?: boolean;
  readonly timeoutMs: number;
  /** Receives each line of the build's output. */
  readonly onOutput?: (text: string) => void;
}

/** A named volume in a container. `noCopy`: the image's own content at the target is hidden, not copied in. */
export interface VolumeMount {
  /** Absent: an anonymous volume that goes with the container. */
  readonly volume?: string;
  readonly target: string;
  readonly readOnly: boolean;
  readonly noCopy: boolean;
}

/** Everything a container is created with. Nothing else is ever set. */
export interface ContainerSpec {
  /** A readable name; must be unique on the engine. */
  readonly name: string;
  readonly image: ImageId;
  readonly command: readonly string[];
  /** Absent: the image's own is kept. Empty: cleared. */
  readonly entrypoint?: readonly string[];
  readonly user?: string;
  readonly workingDir?: string;
  /** `NAME` without a value removes an image's own variable. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly pids: number;
  /** `none`, `host` (all that the engine's host itself is on), the engine's default bridge, or a network's name. */
  readonly network: string;
  /** For programs of our own: nothing but mounts can be written, and no capability is left, not even to root. */
  readonly sealed?: boolean;
  /** Names that the container knows beside those of DNS, with their addresses; `host-gateway`: what the engine takes for its host's. */
  readonly hosts?: Readonly<Record<string, string>>;
  readonly mounts: readonly VolumeMount[];
  /** What the main process reads, by {@link Container.runTerminal}; `terminal`: writes, too. Absent: nothing. */
  readonly stdin?: 'pipe' | 'terminal';
}

/** A bridge network to be made. Containers on it do not reach each other. */
export interface NetworkSpec {
  /** Must be unique on the engine. */
  readonly name: string;
  /** No way past the engine's host: it alone can be reached, at the network's gateway address and, on some engines, at its others. */
  readonly internal: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** A network we own until it is removed by `Engine.remove`. */
export interface Network {
  readonly id: string;
  readonly name: string;
  /** Where its containers reach the engine's host. */
  readonly gatewayAddress: string;
}

/** A path that differs from the image. */
export interface PathChange {
  readonly path: string;
  readonly kind: 'modified' | 'added' | 'deleted';
}

/** A container we own, from created to removed. Disposing removes it, under a budget of its own. */
export interface Container extends AsyncDisposable {
  readonly id: string;
  readonly name: string;
  /** Extracts a tar at a folder; works before the first start. Owner, mode and time are the headers'. A function gives the same tar anew each time that it must be sent. */
  put(tar: Readable | (() => Readable) | Uint8Array, targetDir: string, signal: AbortSignal): Promise<void>;
  /** A tar of the path, links not followed; undefined where nothing is. Works on created and stopped containers. */
  get(path: string, signal: AbortSignal): Promise<Readable | undefined>;
  /**
   * Bytes of the files that it holds beside its image's, volumes left out: each whole and once, holes counted. Works while it runs; the engine
   * counts files one by one. Undefined where it cannot tell.
   */
  writtenBytes(signal: AbortSignal): Promise<number | undefined>;
  /** Paths that differ from the image, volumes left out. */
  changes(signal: AbortSignal): Promise<readonly PathChange[]>;
  /** Attach, start, stream to files, wait; at the limit TERM, grace, kill. Resolves for every ending; rejects with EngineError only. */
  runMain(options: RunMainOptions): Promise<MainExit>;
  /** As {@link runMain}, with somebody in front of it; for a container with `stdin`. */
  runTerminal(options: RunTerminalOptions): Promise<MainExit>;
  /** The container's file system as a new image, which the caller owns. */
  commit(labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ImageId>;
  /** The whole file system as a tar. */
  export(signal: AbortSignal): Promise<Readable>;
  /** Removes it with its anonymous volumes; idempotent. Rejects when it could not be removed within the budget. */
  remove(): Promise<void>;
}

/** An engine object of ours, found by label. */
export interface OwnedObject {
  readonly kind: 'container' | 'image' | 'volume' | 'network';
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly sizeBytes?: number;
}

/** The container seam: all that the rest of skillpair knows of Docker. All calls reject with {@link EngineError}. */
export interface Engine {
  info(signal: AbortSignal): Promise<EngineInfo>;
  /** By id or name:tag; undefined when absent. */
  image(reference: string, signal: AbortSignal): Promise<ImageInfo | undefined>;
  /** Pulls a name from its registry and returns the id. */
  pull(reference: string, platform: string | undefined, signal: AbortSignal): Promise<ImageId>;
  /** Builds; the engine's own reason, with the step, is the error's message. */
  build(spec: BuildSpec, signal: AbortSignal): Promise<ImageId>;
  removeImage(reference: string, signal: AbortSignal): Promise<void>;
  createContainer(spec: ContainerSpec, signal: AbortSignal): Promise<Container>;
  /** Makes a named volume if it is not there; returns false when it was. */
  createVolume(name: string, labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<boolean>;
  /** Makes a network; kind `no-addresses` when the engine has none left to give. */
  createNetwork(spec: NetworkSpec, signal: AbortSignal): Promise<Network>;
  /** Everything that carries all the given labels (empty value: any value). */
  owned(labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly OwnedObject[]>;
  /** How many networks exist, anybody's: address pools are finite. */
  networkCount(signal: AbortSignal): Promise<number>;
  /** Removes an owned object, by force; absent is fine. */
  remove(object: Pick<OwnedObject, 'kind' | 'id'>, signal: AbortSignal): Promise<void>;
}
