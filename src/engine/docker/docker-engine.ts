import type Docker from 'dockerode';
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
} from '../engine.ts';
import type { DockerApi } from './api.ts';
import { buildImage } from './build-image.ts';
import { createContainer } from './create-container.ts';
import { createNetwork } from './create-network.ts';
import { inspectImage, pullImage } from './images.ts';
import { ownedObjects, removeObject } from './owned.ts';

/** A Docker engine, or one that speaks its language. Holds nothing but a connection pool. */
export class DockerEngine implements Engine {
  readonly #api: DockerApi;
  readonly #address: string;

  constructor(api: DockerApi, address: string) {
    this.#api = api;
    this.#address = address;
  }

  async info(signal: AbortSignal): Promise<EngineInfo> {
    const operation = 'info';
    const [version, info] = await Promise.all([
      this.#api.json<Docker.DockerVersion>({ operation, method: 'GET', path: '/version', signal }),
      this.#api.json<{ Driver: string; NCPU: number; MemTotal: number; DockerRootDir: string }>({
        operation,
        method: 'GET',
        path: '/info',
        signal,
      }),
    ]);
    return {
      address: this.#address,
      version: version.Version,
      apiVersion: version.ApiVersion,
      platform: `${version.Os}/${version.Arch}`,
      storageDriver: info.Driver,
      cpus: info.NCPU,
      memoryBytes: info.MemTotal,
      rootDir: info.DockerRootDir,
    };
  }

  image(reference: string, signal: AbortSignal): Promise<ImageInfo | undefined> {
    return inspectImage(this.#api, reference, signal);
  }

  pull(reference: string, platform: string | undefined, signal: AbortSignal): Promise<ImageId> {
    return pullImage(this.#api, { reference, platform }, signal);
  }

  build(spec: BuildSpec, signal: AbortSignal): Promise<ImageId> {
    return buildImage(this.#api, spec, signal);
  }

  removeImage(reference: string, signal: AbortSignal): Promise<void> {
    return removeObject(this.#api, { kind: 'image', id: reference }, signal);
  }

  createContainer(spec: ContainerSpec, signal: AbortSignal): Promise<Container> {
    return createContainer(this.#api, spec, signal);
  }

  /** The engine's create call answers alike for a new and an old volume, so it is asked first. */
  async createVolume(
    name: string,
    labels: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (await this.#hasVolume(name, signal)) return false;
    const body = { Name: name, Labels: labels };
    await this.#api.run({
      operation: 'create volume',
      method: 'POST',
      path: '/volumes/create',
      body,
      again: 'always',
      signal,
    });
    return true;
  }

  createNetwork(spec: NetworkSpec, signal: AbortSignal): Promise<Network> {
    return createNetwork(this.#api, spec, signal);
  }

  owned(labels: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly OwnedObject[]> {
    return ownedObjects(this.#api, labels, signal);
  }

  async networkCount(signal: AbortSignal): Promise<number> {
    const call = { operation: 'list networks', method: 'GET', path: '/networks', signal } as const;
    return (await this.#api.json<unknown[]>(call)).length;
  }

  remove(object: Pick<OwnedObject, 'kind' | 'id'>, signal: AbortSignal): Promise<void> {
    return removeObject(this.#api, object, signal);
  }

  async #hasVolume(name: string, signal: AbortSignal): Promise<boolean> {
    try {
      const path = `/volumes/${encodeURIComponent(name)}`;
      await this.#api.run({ operation: 'inspect volume', method: 'GET', path, signal });
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'not-found') return false;
      throw error;
    }
  }
}
