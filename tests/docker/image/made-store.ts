import { join } from 'node:path';
import { readTar } from '../../../src/engine/archive.ts';
import { connectEngine } from '../../../src/engine/docker/connect.ts';
import type { Engine, ImageId, VolumeMount } from '../../../src/engine/engine.ts';
import { idleContainer } from '../../../src/image/image-index.ts';
import { type ImageStore, type ImageStoreTools, makeImageStore } from '../../../src/image/image-store.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import type { ImageSettings } from '../../../src/model/experiment.ts';
import { madeProject, temporaryFolder } from '../../unit/image/made-project.ts';
import { baseImage } from '../engine/base-image.ts';

/** A store on the real engine; whatever was made for the given subjects goes with it. */
export interface MadeStore extends AsyncDisposable {
  readonly engine: Engine;
  readonly store: ImageStore;
  /** Name of a small Debian on the engine; `ubuntu:24.04` in a FROM line stands for it. */
  readonly base: string;
  readonly folder: string;
  readonly events: readonly RunEvent[];
  readonly signal: AbortSignal;
  /** Another store with the same cache: what a second process would have. */
  again(more?: Partial<ImageStoreTools>): ImageStore;
}

export async function madeStore(
  subjects: readonly string[],
  more: Partial<ImageStoreTools> = {},
): Promise<MadeStore> {
  const engine = await connectEngine({ env: { DOCKER_HOST: process.env.DOCKER_HOST } });
  const { tag: base } = await baseImage(engine);
  const temporary = await temporaryFolder();
  const events: RunEvent[] = [];
  const signal = AbortSignal.timeout(240_000);
  const again = (others: Partial<ImageStoreTools> = {}) =>
    makeImageStore({
      engine,
      project: madeProject(standIn(base)),
      projectRoot: temporary.path,
      cacheDir: join(temporary.path, 'cache'),
      proxyEnv: {},
      certificates: { caDir: '/nowhere' },
      emit: (event) => events.push(event),
      now: () => new Date(),
      runSignal: signal,
      ...more,
      ...others,
    });
  return {
    engine,
    store: again(),
    base,
    folder: temporary.path,
    events,
    signal,
    again,
    [Symbol.asyncDispose]: async () => {
      await removeMade(engine, subjects);
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** Settings under which `ubuntu:24.04` is the given local image. */
export function standIn(image: string): Pick<ImageSettings, 'substitute'> {
  return { substitute: { 'ubuntu:24.04': image } };
}

/** Removes images and volumes that were made for the subjects, and nothing else. */
async function removeMade(engine: Engine, subjects: readonly string[]): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  for (const subject of subjects)
    for (const object of await engine.owned(
      { 'skillpair.managed': '1', 'skillpair.subject': subject },
      signal,
    ))
      await engine.remove(object, signal);
}

/** A file of an image, or of a volume mounted into a container of it; undefined where there is none. */
export async function textOf(
  { engine, signal }: Pick<MadeStore, 'engine' | 'signal'>,
  { image, mounts = [] }: { readonly image: ImageId; readonly mounts?: readonly VolumeMount[] },
  path: string,
): Promise<string | undefined> {
  await using container = await engine.createContainer({ ...idleContainer(image, 'test'), mounts }, signal);
  const tar = await container.get(path, signal);
  if (tar === undefined) return undefined;
  let text = '';
  for await (const entry of readTar(tar)) for await (const chunk of entry.content) text += String(chunk);
  return text;
}
