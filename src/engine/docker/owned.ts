import type Docker from 'dockerode';
import { assertNever } from '../../base/assert-never.ts';
import { EngineError, type OwnedObject } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { removeContainer } from './remove-container.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Everything on the engine that carries all the labels; an empty value stands for any. Without a label it rejects:
 * the answer would be everybody's objects.
 */
export async function ownedObjects(
  api: DockerApi,
  labels: Labels,
  signal: AbortSignal,
): Promise<readonly OwnedObject[]> {
  const wanted = Object.entries(labels).map(([key, value]) => (value === '' ? key : `${key}=${value}`));
  if (wanted.length === 0) throw new EngineError('list owned', 'other', 'at least one label is needed');
  const filters = { label: wanted };
  const list = <T>(path: string, query: Record<string, unknown> = {}) =>
    api.json<T>({ operation: 'list owned', method: 'GET', path, query: { ...query, filters }, signal });
  const [containers, images, volumes, networks] = await Promise.all([
    list<Docker.ContainerInfo[]>('/containers/json', { all: true }),
    list<Docker.ImageInfo[]>('/images/json'),
    list<{ Volumes: (Docker.VolumeInspectInfo & { CreatedAt?: string })[] | null }>('/volumes'),
    list<Docker.NetworkInspectInfo[]>('/networks'),
  ]);
  return [
    ...containers.map(ownedContainer),
    ...images.map(ownedImage),
    ...(volumes.Volumes ?? []).map(ownedVolume),
    ...networks.map(ownedNetwork),
  ];
}

function ownedContainer({ Id: id, Names, Labels: labels, Created }: Docker.ContainerInfo): OwnedObject {
  return {
    kind: 'container',
    id,
    name: Names[0]?.replace(/^\//, '') ?? id,
    labels,
    createdAt: fromSeconds(Created),
  };
}

function ownedImage({ Id: id, RepoTags, Labels: labels, Created, Size }: Docker.ImageInfo): OwnedObject {
  const name = RepoTags?.find((tag) => tag !== '<none>:<none>') ?? id;
  return { kind: 'image', id, name, labels: labels ?? {}, createdAt: fromSeconds(Created), sizeBytes: Size };
}

function ownedVolume({
  Name: id,
  Labels: labels,
  CreatedAt,
}: Docker.VolumeInspectInfo & { CreatedAt?: string }): OwnedObject {
  return { kind: 'volume', id, name: id, labels: labels ?? {}, createdAt: fromText(CreatedAt) };
}

function ownedNetwork({
  Id: id,
  Name: name,
  Labels: labels,
  Created,
}: Docker.NetworkInspectInfo): OwnedObject {
  return { kind: 'network', id, name, labels: labels ?? {}, createdAt: fromText(Created) };
}

function fromSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** The engine writes local time with an offset. */
function fromText(text: string | undefined): string {
  return new Date(text ?? 0).toISOString();
}

/** Removes one object by force; absent is fine. A network loses the containers that still hang on it first. */
export async function removeObject(
  api: DockerApi,
  object: Pick<OwnedObject, 'kind' | 'id'>,
  signal: AbortSignal,
): Promise<void> {
  const { kind, id } = object;
  switch (kind) {
    case 'container':
      return removeContainer(api, id, signal);
    case 'image':
      return removeAt(api, { kind, path: `/images/${id}`, query: { force: true } }, signal);
    case 'volume':
      return removeAt(
        api,
        { kind, path: `/volumes/${encodeURIComponent(id)}`, query: { force: true } },
        signal,
      );
    case 'network':
      return removeNetwork(api, id, signal);
    default:
      return assertNever(kind);
  }
}

interface Removal {
  readonly kind: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
}

async function removeAt(api: DockerApi, { kind, path, query }: Removal, signal: AbortSignal): Promise<void> {
  try {
    await api.run({ operation: `remove ${kind}`, method: 'DELETE', path, query: query ?? {}, signal });
  } catch (error) {
    if (!(error instanceof EngineError && error.kind === 'not-found')) throw error;
  }
}

async function removeNetwork(api: DockerApi, id: string, signal: AbortSignal): Promise<void> {
  const removal = { kind: 'network', path: `/networks/${id}` };
  try {
    return await removeAt(api, removal, signal);
  } catch (error) {
    if (!(error instanceof EngineError && /active endpoints/i.test(error.message))) throw error;
  }
  const operation = 'remove network';
  const network = await api.json<Docker.NetworkInspectInfo>({
    operation,
    method: 'GET',
    path: removal.path,
    signal,
  });
  for (const Container of Object.keys(network.Containers ?? {})) {
    const body = { Container, Force: true };
    await api.run({
      operation,
      method: 'POST',
      path: `${removal.path}/disconnect`,
      body,
      again: 'always',
      signal,
    });
  }
  await removeAt(api, removal, signal);
}
