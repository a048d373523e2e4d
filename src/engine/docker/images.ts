import type Docker from 'dockerode';
import { EngineError, type ImageId, type ImageInfo } from '../engine.ts';
import type { DockerApi } from './api.ts';
import type { ProgressItem } from './build-log.ts';
import { engineErrorFrom, kindInWords, protocolError } from './engine-error.ts';
import { jsonLines } from './json-lines.ts';

/** An image by id or name:tag; undefined when absent. */
export async function inspectImage(
  api: DockerApi,
  reference: string,
  signal: AbortSignal,
): Promise<ImageInfo | undefined> {
  try {
    const operation = `inspect image ${reference}`;
    const path = `/images/${encodeURI(reference).replaceAll(/[?#]/g, encodeURIComponent)}/json`;
    return imageInfo(await api.json<Docker.ImageInspectInfo>({ operation, method: 'GET', path, signal }));
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/**
 * The architecture's variant is left out: the engine's own platform does not name it either. Newer engines leave
 * empty members out, whatever the types say.
 */
function imageInfo(image: Docker.ImageInspectInfo): ImageInfo {
  const config: Partial<Docker.ImageInspectInfo['Config']> = image.Config ?? {};
  return {
    id: image.Id,
    tags: image.RepoTags ?? [],
    labels: config.Labels ?? {},
    platform: `${image.Os}/${image.Architecture}`,
    sizeBytes: image.Size,
    layers: image.RootFS.Layers?.length ?? 0,
    user: config.User ?? '',
    workingDir: config.WorkingDir || '/',
    env: config.Env ?? [],
    entrypoint: [config.Entrypoint ?? []].flat(),
    command: config.Cmd ?? [],
    volumes: Object.keys(config.Volumes ?? {}).sort(),
  };
}

/** Pulls one tag or digest (never all tags of a name) and returns its id. */
export async function pullImage(
  api: DockerApi,
  { reference, platform }: { readonly reference: string; readonly platform: string | undefined },
  signal: AbortSignal,
): Promise<ImageId> {
  const operation = `pull ${reference}`;
  const stream = await api.stream({
    operation,
    method: 'POST',
    path: '/images/create',
    query: { ...pullName(reference), platform },
    signal,
    withinMs: Number.POSITIVE_INFINITY,
  });
  try {
    for await (const item of jsonLines<ProgressItem>(stream)) {
      const reason = item.errorDetail?.message ?? item.error;
      if (reason !== undefined) throw new EngineError(operation, kindInWords(reason) ?? 'other', reason);
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw protocolError(operation, error.message, error);
    throw engineErrorFrom(operation, error, signal);
  }
  const image = await inspectImage(api, reference, signal);
  if (image === undefined)
    throw new EngineError(operation, 'protocol', 'pulled, but the engine has no such image');
  return image.id;
}

function pullName(reference: string): { fromImage: string; tag?: string } {
  if (reference.includes('@')) return { fromImage: reference };
  const colon = reference.lastIndexOf(':');
  const tagged = colon > reference.lastIndexOf('/');
  return tagged
    ? { fromImage: reference.slice(0, colon), tag: reference.slice(colon + 1) }
    : { fromImage: reference, tag: 'latest' };
}
