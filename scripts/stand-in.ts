import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packTar } from '../src/engine/archive.ts';
import { type Engine, LABEL } from '../src/engine/engine.ts';

/** The image that stands in for Debian's where no registry answers. */
export const STAND_IN = 'skillpair/rootfs:bookworm';

const LABELS = { [LABEL.managed]: '1', [LABEL.kind]: 'rootfs' };
const BUILD_TIMEOUT_MS = 300_000;
const DOCKERFILE = 'FROM scratch\nADD rootfs.tar /\nCMD ["bash"]\n';

/** Makes {@link STAND_IN} of one layer: the root file system. The temporary tar (about 180 MB) goes on every path. */
export async function buildStandIn(tools: {
  readonly engine: Engine;
  readonly makeRootFileSystem: (tarPath: string) => Promise<void>;
}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-rootfs-'));
  try {
    const hostPath = join(folder, 'rootfs.tar');
    await tools.makeRootFileSystem(hostPath);
    const { size } = await stat(hostPath);
    const owner = { mode: 0o644, uid: 0, gid: 0 };
    const context = () =>
      packTar([
        { path: 'Dockerfile', kind: 'file', ...owner, content: Buffer.from(DOCKERFILE) },
        { path: 'rootfs.tar', kind: 'file', ...owner, content: { hostPath, size } },
      ]);
    const spec = { context, dockerfile: 'Dockerfile', tag: STAND_IN, labels: LABELS, buildArgs: {} };
    await tools.engine.build({ ...spec, timeoutMs: BUILD_TIMEOUT_MS }, AbortSignal.timeout(BUILD_TIMEOUT_MS));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
