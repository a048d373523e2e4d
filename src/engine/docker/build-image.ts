import type { Readable } from 'node:stream';
import { type BuildSpec, EngineError, type ImageId, type ImageInfo } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { BuildLog, type ProgressItem } from './build-log.ts';
import { engineErrorFrom, kindInWords } from './engine-error.ts';
import { inspectImage } from './images.ts';
import { jsonLines } from './json-lines.ts';
import { removeObject } from './owned.ts';
import { upload } from './upload.ts';

/**
 * Builds an image and returns its id. A failing step comes from the engine as an ordinary item of an ordinary stream,
 * so the items decide: an error item, a stream that ends without a result, or a tag that names another image than
 * the stream did are all rejections.
 */
export async function buildImage(api: DockerApi, spec: BuildSpec, signal: AbortSignal): Promise<ImageId> {
  const timeout = AbortSignal.timeout(spec.timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  const operation = `build ${spec.tag}`;
  const log = new BuildLog();
  try {
    const stream = await openBuild(api, { spec, operation, signal: either });
    for await (const item of jsonLines<ProgressItem>(stream)) {
      log.add(item);
      spec.onOutput?.(item.stream ?? item.status ?? '');
    }
  } catch (error) {
    throw explained(operation, log, { error, signal, timeout, timeoutMs: spec.timeoutMs });
  }
  if (log.error !== undefined) throw failed(operation, log);
  if (!log.succeeded) {
    throw new EngineError(operation, 'protocol', log.explain('the engine ended the build without a result'));
  }
  return builtImage(api, spec, log);
}

function openBuild(
  api: DockerApi,
  { spec, operation, signal }: { spec: BuildSpec; operation: string; signal: AbortSignal },
): Promise<Readable> {
  return upload(api, {
    operation,
    method: 'POST',
    path: '/build',
    query: {
      t: spec.tag,
      dockerfile: spec.dockerfile,
      labels: spec.labels,
      buildargs: spec.buildArgs,
      platform: spec.platform,
      networkmode: spec.network,
      nocache: spec.noCache,
      rm: true,
      forcerm: true,
    },
    file: spec.context,
    signal,
    withinMs: Number.POSITIVE_INFINITY,
  });
}

async function builtImage(api: DockerApi, spec: BuildSpec, log: BuildLog): Promise<ImageId> {
  const operation = `build ${spec.tag}`;
  const image = await inspectImage(api, spec.tag, AbortSignal.timeout(60_000));
  if (image === undefined)
    throw new EngineError(operation, 'protocol', 'the engine reports success but has no image');
  if (log.imageId !== undefined && log.imageId !== image.id) {
    throw new EngineError(operation, 'protocol', `the tag names ${image.id}, the build made ${log.imageId}`);
  }
  await refuseOtherPlatform(api, spec, image);
  return image.id;
}

/** An older engine builds from a local base of any platform and says nothing; the result must not be found later. */
async function refuseOtherPlatform(api: DockerApi, spec: BuildSpec, image: ImageInfo): Promise<void> {
  const wanted = spec.platform?.split('/').slice(0, 2).join('/');
  if (wanted === undefined || wanted === image.platform) return;
  await removeObject(api, { kind: 'image', id: spec.tag }, AbortSignal.timeout(60_000));
  const detail = `the base image is for ${image.platform}, ${spec.platform} was asked for`;
  throw new EngineError(`build ${spec.tag}`, 'platform', detail);
}

/** The engine's reason decides the kind where it speaks of one: a full disk is not the Dockerfile's fault. */
function failed(operation: string, log: BuildLog): EngineError {
  const text = log.explain(log.error ?? '');
  return new EngineError(operation, kindInWords(text) ?? 'build-failed', text);
}

interface Broken {
  readonly error: unknown;
  readonly signal: AbortSignal;
  readonly timeout: AbortSignal;
  readonly timeoutMs: number;
}

function explained(
  operation: string,
  log: BuildLog,
  { error, signal, timeout, timeoutMs }: Broken,
): EngineError {
  if (signal.aborted) return engineErrorFrom(operation, error, signal);
  if (timeout.aborted) {
    const reason = `not finished within its ${timeoutMs / 1000} s`;
    return new EngineError(operation, 'build-timeout', log.explain(reason), { cause: error });
  }
  if (error instanceof SyntaxError) {
    const reason = `the engine's build stream is torn (${error.message})`;
    return new EngineError(operation, 'protocol', log.explain(reason), { cause: error });
  }
  const plain = engineErrorFrom(operation, error);
  if (log.error !== undefined) return failed(operation, log);
  const kind = plain.kind === 'other' || plain.kind === 'not-found' ? 'build-failed' : plain.kind;
  return new EngineError(operation, kind, log.explain(plain.message.replace(`${operation}: `, '')), {
    cause: plain.cause,
  });
}
