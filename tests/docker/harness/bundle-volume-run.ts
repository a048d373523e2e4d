import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const BASE = process.env.SKILLPAIR_TEST_BASE ?? 'skillpair/base:1';

/** How a run of a bundle ended. */
export interface BundleRun {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A harness's bundle as trials have it: a read-only volume, in an image that has nothing a bundle could borrow. */
export interface BundleVolume {
  /** Runs a shell script without a network, as uid 1000 unless told otherwise. */
  run(script: string, options?: { readonly user?: string; readonly home?: string }): Promise<BundleRun>;
  /** Every path below the bundle with its size and time. */
  listing(): Promise<string>;
  remove(): Promise<void>;
}

/** Builds a harness's bundle and fills a volume with it. The caller removes it. */
export async function bundleVolume(id: string): Promise<BundleVolume> {
  const label = `skillpair-test=${id}`;
  const image = `skillpair-test/${id}-bundle:1`;
  const bare = `skillpair-test/${id}-bare:1`;
  const volume = `skillpair-test-${id}-bundle`;
  const target = `/opt/skillpair/harness/${id}`;
  const build = (tag: string, folder: string) =>
    execa('docker', ['build', '-q', '--label', label, '--build-arg', `BASE=${BASE}`, '-t', tag, folder]);
  await build(image, new URL(`../../../harnesses/${id}`, import.meta.url).pathname);
  await buildBare((folder) => build(bare, folder));
  await execa('docker', ['volume', 'create', '--label', label, volume]);
  // Creating a container fills the volume from the image.
  const filled = await execa('docker', ['create', '--label', label, '-v', `${volume}:${target}`, image]);
  await execa('docker', ['rm', filled.stdout]);
  const options = ['--rm', '--init', '--label', label, '--network', 'none', '-w', '/workspace'];
  const mount = ['-v', `${volume}:${target}:ro`];
  const shell = async (args: readonly string[], script: string): Promise<BundleRun> => {
    const command = ['run', ...options, ...args, ...mount, bare, '/bin/sh', '-c', script];
    const { exitCode, stdout, stderr } = await execa('docker', command, { reject: false });
    return { exitCode, stdout, stderr };
  };
  return {
    run: (script, { user = '1000', home = '/home/agent' } = {}) =>
      shell(['--user', user, '-e', `HOME=${home}`], script),
    listing: async () => (await shell([], `find ${target} -printf '%p %s %T@\\n' | sort`)).stdout,
    remove: async () => {
      await execa('docker', ['volume', 'rm', '-f', volume]);
      await execa('docker', ['rmi', '-f', bare]);
    },
  };
}

/** The base without any library or runtime that a bundle could borrow; a shell and its libc stay. */
async function buildBare(build: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-bare-'));
  const lines = [
    'ARG BASE',
    'FROM $BASE',
    "RUN rm -rf /usr/bin/python3* /usr/lib/python3* && find / -xdev -name 'libstdc++*' -delete",
    'RUN mkdir -p /home/agent /workspace && chown 1000 /home/agent /workspace',
    "RUN echo 'Write 42 to the file answer.txt.' > /instruction.md",
  ];
  await writeFile(join(folder, 'Dockerfile'), lines.join('\n'));
  await build(folder);
  await rm(folder, { recursive: true });
}
