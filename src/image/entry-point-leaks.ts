import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { readTar } from '../engine/archive.ts';
import type { Container, Engine, ImageInfo } from '../engine/engine.ts';
import { idleContainer } from './image-index.ts';

/** As much as an agent's container has by default: an entry point that has too little would stop before it is done. */
const ROOM = { memoryBytes: 1 << 30, pids: 512 };
const TIMEOUT_MS = 30_000;

/**
 * Skills that an image's entry point puts, when it runs, where a harness would find them: they are not in the image, and not in a container
 * until it is started. The entry point is run once, before `true` and without network. Absolute paths, sorted; none without an entry point.
 */
export async function entryPointLeaks(
  engine: Engine,
  from: { readonly info: ImageInfo; readonly user: string | undefined; readonly folders: readonly string[] },
  signal: AbortSignal,
): Promise<string[]> {
  const { info, user, folders } = from;
  if (info.entrypoint.length === 0) return [];
  const spec = { ...idleContainer(info.id, 'entry-point'), ...ROOM, ...(user === undefined ? {} : { user }) };
  await using container = await engine.createContainer(spec, signal);
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-entry-point-'));
  try {
    const [stdoutPath, stderrPath] = [join(dir, 'stdout'), join(dir, 'stderr')];
    await container.runMain({ stdoutPath, stderrPath, timeoutMs: TIMEOUT_MS, graceMs: 1000, signal });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  const changed = (await container.changes(signal)).filter(({ kind }) => kind !== 'deleted');
  const paths = [...changed.map(({ path }) => path), ...(await inVolumes(container, info.volumes, signal))];
  const isFound = (path: string) =>
    posix.basename(path).toLowerCase() === 'skill.md' &&
    folders.some((folder) => path.startsWith(`${folder}/`));
  return [...new Set(paths.filter(isFound))].sort();
}

/** The engine lists no changes of volumes. */
async function inVolumes(
  container: Container,
  volumes: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const paths: string[] = [];
  for (const volume of volumes) {
    const tar = await container.get(volume, signal);
    if (tar === undefined) continue;
    for await (const { path } of readTar(tar)) paths.push(posix.join(posix.dirname(volume), path));
  }
  return paths;
}
