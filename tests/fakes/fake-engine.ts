import {
  type BuildSpec,
  type Container,
  type ContainerSpec,
  type Engine,
  EngineError,
  type EngineInfo,
  type ImageId,
  type ImageInfo,
  type Network,
  type NetworkSpec,
  type OwnedObject,
} from '../../src/engine/engine.ts';
import { fakeBuild } from './fake-build.ts';
import { FakeContainer, type FakeExit, type FakeHost, type FakeProgram } from './fake-container.ts';
import type { FakeFiles } from './fake-files.ts';
import { type FakeImage, type FakeImageInput, imageOf, makeFakeImage } from './fake-image.ts';
import { mountVolumes } from './fake-mounts.ts';

/** Calls that can be made to fail and are recorded, by name. */
export type FakeOperation =
  | 'info'
  | 'image'
  | 'pull'
  | 'build'
  | 'removeImage'
  | 'createContainer'
  | 'createVolume'
  | 'createNetwork'
  | 'owned'
  | 'networkCount'
  | 'remove'
  | 'put'
  | 'get'
  | 'changes'
  | 'runMain'
  | 'runTerminal'
  | 'commit'
  | 'export'
  | 'removeContainer';

/** One recorded call. `detail`: the name, path or command it was about. */
export interface FakeCall {
  readonly operation: FakeOperation;
  readonly detail: string;
}

/** What a fake engine starts with. */
export interface FakeEngineInput {
  /** By tag. A name without a tag means `:latest`. */
  readonly images?: Readonly<Record<string, FakeImageInput>>;
  /**
   * What commands do: by the whole command line joined with blanks, or by its first word, or `*` for all others.
   * A plain object stands for a program that always ends so.
   */
  readonly programs?: Readonly<Record<string, FakeProgram | FakeExit>>;
  /** Images that a pull finds, by name:tag. */
  readonly registry?: Readonly<Record<string, FakeImageInput>>;
  readonly info?: Partial<EngineInfo>;
}

/** Makes an in-memory engine. */
export function makeFakeEngine(input: FakeEngineInput = {}): FakeEngine {
  return new FakeEngine(input);
}

const INFO: EngineInfo = {
  address: 'fake://engine',
  version: '0.0.0',
  apiVersion: '1.41',
  platform: 'linux/amd64',
  storageDriver: 'memory',
  cpus: 8,
  memoryBytes: 16 * 2 ** 30,
  rootDir: '/nowhere',
};
const MADE_AT = '2026-01-01T00:00:00.000Z';

/** A volume of the fake engine. */
interface FakeVolume {
  readonly labels: Readonly<Record<string, string>>;
  readonly files: FakeFiles;
}

/** An in-memory engine that keeps the seam's contract (see tests/contract). Everything inside is open to tests. */
export class FakeEngine implements Engine {
  readonly images = new Map<ImageId, FakeImage>();
  readonly containers = new Map<string, FakeContainer>();
  /** Every container that was ever made, in order, removed or not. */
  readonly made: FakeContainer[] = [];
  /** Called when a tar has been put into a container: a test may do to its files what a careless hand would. */
  afterPut: (container: FakeContainer) => void = () => undefined;
  readonly volumes = new Map<string, FakeVolume>();
  /** Labels by name; tests may put foreign or left-over ones here. */
  readonly networks = new Map<string, Readonly<Record<string, string>>>();
  readonly calls: FakeCall[] = [];
  readonly #input: FakeEngineInput;
  readonly #failures: { readonly operation: FakeOperation; readonly error: EngineError }[] = [];

  constructor(input: FakeEngineInput) {
    this.#input = input;
    for (const [tag, image] of Object.entries(input.images ?? {})) this.addImage(tag, image);
  }

  /** Adds or replaces an image as if somebody else had built it. */
  addImage(tag: string, input: FakeImageInput): ImageId {
    return this.#keepImage(makeFakeImage(input, [withTag(tag)]));
  }

  /** The next call of this operation rejects with the error; several queue up. */
  failNext(operation: FakeOperation, error: EngineError): void {
    this.#failures.push({ operation, error });
  }

  /** Names of the containers that are still there. */
  leftovers(): readonly string[] {
    return [...this.containers.values()].map(({ name }) => name);
  }

  /** The recorded calls of one operation: their details, in order. */
  callsOf(operation: FakeOperation): readonly string[] {
    return this.calls.filter((call) => call.operation === operation).map(({ detail }) => detail);
  }

  async info(signal: AbortSignal): Promise<EngineInfo> {
    this.#call('info', '', signal);
    return { ...INFO, ...this.#input.info };
  }

  async image(reference: string, signal: AbortSignal): Promise<ImageInfo | undefined> {
    this.#call('image', reference, signal);
    return this.#find(reference);
  }

  async pull(reference: string, _platform: string | undefined, signal: AbortSignal): Promise<ImageId> {
    this.#call('pull', reference, signal);
    const found = this.#input.registry?.[reference];
    if (found === undefined) throw new EngineError(`pull ${reference}`, 'not-found', 'manifest unknown');
    return this.addImage(reference, found);
  }

  async build(spec: BuildSpec, signal: AbortSignal): Promise<ImageId> {
    this.#call('build', spec.tag, signal);
    const image = await fakeBuild(spec, (reference) => this.#find(reference));
    throwIfAborted(`build ${spec.tag}`, signal);
    return this.#keepImage({ ...image, tags: [withTag(spec.tag)] });
  }

  async removeImage(reference: string, signal: AbortSignal): Promise<void> {
    this.#call('removeImage', reference, signal);
    const image = this.#find(reference);
    if (image === undefined) return;
    const tags = reference === image.id ? [] : image.tags.filter((tag) => tag !== withTag(reference));
    if (tags.length > 0) this.images.set(image.id, { ...image, tags });
    else this.images.delete(image.id);
  }

  async createContainer(spec: ContainerSpec, signal: AbortSignal): Promise<Container> {
    this.#call('createContainer', spec.name, signal);
    const image = this.images.get(spec.image);
    if (image === undefined)
      throw new EngineError('create container', 'not-found', `No such image: ${spec.image}`);
    if (this.leftovers().includes(spec.name)) {
      throw new EngineError(
        'create container',
        'conflict',
        `The container name "/${spec.name}" is already in use`,
      );
    }
    const id = (this.made.length + 1).toString(16).padStart(64, '0');
    const mounts = mountVolumes(spec, image, (name) => this.#volumeFiles(name));
    const container = new FakeContainer(this.#host, { id, spec, image, mounts });
    this.containers.set(id, container);
    this.made.push(container);
    return container;
  }

  async createVolume(
    name: string,
    labels: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.#call('createVolume', name, signal);
    if (this.volumes.has(name)) return false;
    this.volumes.set(name, { labels, files: new Map() });
    return true;
  }

  async createNetwork(spec: NetworkSpec, signal: AbortSignal): Promise<Network> {
    this.#call('createNetwork', spec.name, signal);
    if (this.networks.has(spec.name)) {
      const detail = `network with name ${spec.name} already exists`;
      throw new EngineError('create network', 'conflict', detail);
    }
    this.networks.set(spec.name, spec.labels);
    return { id: spec.name, name: spec.name, gatewayAddress: '127.0.0.1' };
  }

  async networkCount(signal: AbortSignal): Promise<number> {
    this.#call('networkCount', '', signal);
    return this.networks.size;
  }

  async owned(
    labels: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly OwnedObject[]> {
    this.#call('owned', Object.keys(labels).join(','), signal);
    if (Object.keys(labels).length === 0)
      throw new EngineError('list owned', 'other', 'at least one label is needed');
    const all: OwnedObject[] = [
      ...[...this.containers.values()].map(({ id, name, spec }) =>
        object('container', id, name, spec.labels),
      ),
      ...[...this.images.values()].map((image) => ({
        ...object('image', image.id, image.tags[0] ?? image.id, image.labels),
        sizeBytes: image.sizeBytes,
      })),
      ...[...this.volumes].map(([name, volume]) => object('volume', name, name, volume.labels)),
      ...[...this.networks].map(([name, own]) => object('network', name, name, own)),
    ];
    return all.filter((one) =>
      Object.entries(labels).every(
        ([key, value]) => key in one.labels && (value === '' || one.labels[key] === value),
      ),
    );
  }

  async remove(owned: Pick<OwnedObject, 'kind' | 'id'>, signal: AbortSignal): Promise<void> {
    this.#call('remove', `${owned.kind} ${owned.id}`, signal);
    if (owned.kind === 'container') this.containers.delete(owned.id);
    else if (owned.kind === 'image') this.images.delete(owned.id);
    else if (owned.kind === 'volume') this.volumes.delete(owned.id);
    else this.networks.delete(owned.id);
  }

  readonly #host: FakeHost = {
    call: (operation, detail, signal) => this.#call(operation as FakeOperation, detail, signal),
    program: (spec, image) => this.#program(spec, image),
    commit: (container, labels) => {
      const { image, spec, files } = container;
      const config = { ...image, user: spec.user ?? image.user, layers: image.layers + 1 };
      return this.#keepImage(
        imageOf(new Map(files), { ...config, tags: [], labels: { ...spec.labels, ...labels } }),
      );
    },
    put: (container) => this.afterPut(container),
    forget: ({ id }) => this.containers.delete(id),
  };

  #call(operation: FakeOperation, detail: string, signal?: AbortSignal): void {
    this.calls.push({ operation, detail });
    const index = this.#failures.findIndex((failure) => failure.operation === operation);
    const [failure] = index === -1 ? [] : this.#failures.splice(index, 1);
    if (failure !== undefined) throw failure.error;
    throwIfAborted(operation, signal);
  }

  #find(reference: string): FakeImage | undefined {
    const all = [...this.images.values()];
    return all.find(({ id, tags }) => id === reference || tags.includes(withTag(reference)));
  }

  /** A tag moves: the image that had it keeps its id and loses the name. */
  #keepImage(image: FakeImage): ImageId {
    for (const [id, other] of this.images) {
      const tags = other.tags.filter((tag) => !image.tags.includes(tag));
      if (tags.length !== other.tags.length) this.images.set(id, { ...other, tags });
    }
    const tags = [...(this.images.get(image.id)?.tags ?? []), ...image.tags];
    this.images.set(image.id, { ...image, tags });
    return image.id;
  }

  /** A named volume that is not there yet is made, as an engine does; without a name it is the container's alone. */
  #volumeFiles(name: string | undefined): FakeFiles {
    if (name === undefined) return new Map();
    const volume = this.volumes.get(name) ?? { labels: {}, files: new Map() };
    this.volumes.set(name, volume);
    return volume.files;
  }

  #program(spec: ContainerSpec, image: FakeImage): FakeProgram {
    const entrypoint = spec.entrypoint ?? image.entrypoint;
    const command = spec.command.length > 0 ? spec.command : image.command;
    const words = [...entrypoint, ...command];
    const programs = this.#input.programs ?? {};
    const found = programs[words.join(' ')] ?? programs[words[0] ?? ''] ?? programs['*'];
    if (found === undefined) {
      throw new EngineError(
        'start container',
        'other',
        `exec ${words[0] ?? ''} failed: No such file or directory`,
      );
    }
    return typeof found === 'function' ? found : () => found;
  }
}

function object(
  kind: OwnedObject['kind'],
  ...[id, name, labels]: readonly [string, string, Readonly<Record<string, string>>]
): OwnedObject {
  return { kind, id, name, labels, createdAt: MADE_AT };
}

function withTag(reference: string): string {
  return /:[^/]*$|@/.test(reference) ? reference : `${reference}:latest`;
}

function throwIfAborted(operation: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new EngineError(operation, 'aborted', 'stopped on request');
}
