import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packTar } from '../src/engine/archive.ts';
import { type Engine, LABEL } from '../src/engine/engine.ts';
import type { Suite } from './stand-in-names.ts';

/** The image of a Debian release's smallest root file system, made here from packages. */
export function rootFileSystemTag(suite: Suite): string {
  return `skillpair/rootfs:${suite}`;
}

/** The image that stands in for Debian's where no registry answers. */
export const STAND_IN = rootFileSystemTag('bookworm');

const LABELS = { [LABEL.managed]: '1', [LABEL.kind]: 'rootfs' };
const BUILD_TIMEOUT_MS = 300_000;
const DOCKERFILE = 'FROM scratch\nADD rootfs.tar /\nCMD ["bash"]\n';

/** Makes {@link rootFileSystemTag} of one layer: the root file system. The temporary tar (about 180 MB) goes on every path. */
export async function buildRootFileSystem(
  tools: {
    readonly engine: Engine;
    readonly makeRootFileSystem: (tarPath: string, suite: Suite) => Promise<void>;
  },
  suite: Suite = 'bookworm',
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-rootfs-'));
  try {
    const hostPath = join(folder, 'rootfs.tar');
    await tools.makeRootFileSystem(hostPath, suite);
    const { size } = await stat(hostPath);
    const owner = { mode: 0o644, uid: 0, gid: 0 };
    const context = () =>
      packTar([
        { path: 'Dockerfile', kind: 'file', ...owner, content: Buffer.from(DOCKERFILE) },
        { path: 'rootfs.tar', kind: 'file', ...owner, content: { hostPath, size } },
      ]);
    const tag = rootFileSystemTag(suite);
    const spec = { context, dockerfile: 'Dockerfile', tag, labels: LABELS, buildArgs: {} };
    await tools.engine.build({ ...spec, timeoutMs: BUILD_TIMEOUT_MS }, AbortSignal.timeout(BUILD_TIMEOUT_MS));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
