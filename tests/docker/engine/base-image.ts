import type { Engine, ImageId } from '../../../src/engine/engine.ts';

/** Images with `sh`, coreutils and a root user, in the order in which they are looked for. */
const CANDIDATES = [
  'skillpair/base:1',
  'debian-bookworm-lab:latest',
  'debian:12-slim',
  'debian:bookworm-slim',
];

/** A small Debian that is already on the engine; rejects with what to do when there is none. */
export async function baseImage(engine: Engine): Promise<{ readonly id: ImageId; readonly tag: string }> {
  for (const tag of CANDIDATES) {
    const image = await engine.image(tag, new AbortController().signal);
    if (image !== undefined) return { id: image.id, tag };
  }
  throw new Error(`the engine has none of ${CANDIDATES.join(', ')}: build the base image first`);
}
