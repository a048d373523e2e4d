import { type ReadEntry, readTar } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';

/** What stands at a path of a container, links not followed; undefined where nothing does. Reads no content. */
export async function kindAt(
  container: Pick<Container, 'get'>,
  path: string,
  signal: AbortSignal,
): Promise<ReadEntry['kind'] | undefined> {
  const tar = await container.get(path, signal);
  if (tar === undefined) return undefined;
  for await (const { kind } of readTar(tar)) return kind;
  return undefined;
}
