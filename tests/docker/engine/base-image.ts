import type { Engine, ImageId } from '../../../src/engine/engine.ts';

/** Images with `sh`, coreutils and a root user, in the order in which they are looked for: set-up leaves one of them. */
const CANDIDATES = ['skillpair/rootfs:bookworm', 'debian:12-slim'];

/** A small Debian that is already on the engine; rejects with what to do when there is none. */
export async function baseImage(engine: Engine): Promise<{ readonly id: ImageId; readonly tag: string }> {
  for (const tag of CANDIDATES) {
    const image = await engine.image(tag, new AbortController().signal);
    if (image !== undefined) return { id: image.id, tag };
  }
  throw new Error(`the engine has none of ${CANDIDATES.join(', ')}: npm run setup makes one`);
}
