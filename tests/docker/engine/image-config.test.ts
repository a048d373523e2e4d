import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTar } from '../../../src/engine/archive.ts';
import { connectEngine } from '../../../src/engine/docker/connect.ts';
import type { BuildSpec, ContainerSpec, Engine, ImageId } from '../../../src/engine/engine.ts';
import { baseImage } from './base-image.ts';

const LABELS = { 'skillpair.test': `image-config-${process.pid}` };
const never = new AbortController().signal;

describe('an image with an environment, a user and an entry point of its own', () => {
  let engine: Engine;
  let image: ImageId;
  let base: string;
  let dir: string;
  let made = 0;
  const buildSpec = (dockerfile: string, more: Partial<BuildSpec> = {}): BuildSpec => ({
    context: () =>
      packTar([
        { path: 'Dockerfile', kind: 'file', mode: 0o644, uid: 0, gid: 0, content: Buffer.from(dockerfile) },
      ]),
    dockerfile: 'Dockerfile',
    tag: `skillpair-image-config-${process.pid}-${++made}:1`,
    labels: LABELS,
    buildArgs: {},
    network: 'none',
    timeoutMs: 120_000,
    ...more,
  });
  beforeAll(async () => {
    engine = await connectEngine({ env: process.env });
    base = (await baseImage(engine)).tag;
    dir = await mkdtemp(join(tmpdir(), 'skillpair-image-config-'));
    image = await engine.build(
      buildSpec(
        `FROM ${base}\nENV KEPT=image GONE=image\nWORKDIR /srv\nUSER nobody\nVOLUME /srv/data /cache\nENTRYPOINT ["echo", "entry"]\nCMD ["command"]\n`,
      ),
      never,
    );
  });
  afterAll(async () => {
    for (const object of await engine.owned(LABELS, never)) await engine.remove(object, never);
    await rm(dir, { recursive: true });
  });

  const output = async (more: Partial<ContainerSpec>): Promise<string> => {
    const spec: ContainerSpec = {
      name: `skillpair-image-config-${process.pid}-${++made}`,
      image,
      command: [],
      env: {},
      labels: LABELS,
      cpus: 1,
      memoryBytes: 128 * 2 ** 20,
      pids: 64,
      network: 'none',
      mounts: [],
      ...more,
    };
    await using container = await engine.createContainer(spec, never);
    const [stdoutPath, stderrPath] = [join(dir, 'stdout'), join(dir, 'stderr')];
    await container.runMain({ stdoutPath, stderrPath, timeoutMs: 60_000, graceMs: 100, signal: never });
    return readFile(stdoutPath, 'utf8');
  };

  it('is described as it is', async () => {
    expect(await engine.image(image, never)).toMatchObject({
      user: 'nobody',
      workingDir: '/srv',
      entrypoint: ['echo', 'entry'],
      command: ['command'],
      volumes: ['/cache', '/srv/data'],
      labels: LABELS,
      env: expect.arrayContaining(['KEPT=image', 'GONE=image']) as string[],
    });
  });

  it('runs its own entry point and command where the spec says nothing', async () => {
    expect(await output({})).toBe('entry command\n');
  });

  it('keeps its entry point before a command of the spec, and loses it to an empty one', async () => {
    expect(await output({ command: ['other'] })).toBe('entry other\n');
    expect(await output({ entrypoint: [], command: ['id', '-un'] })).toBe('nobody\n');
  });

  it('gives way to the user and the folder of the spec', async () => {
    const more = { entrypoint: [], user: 'root', workingDir: '/tmp', command: ['sh', '-c', 'id -un; pwd'] };
    expect(await output(more)).toBe('root\n/tmp\n');
  });

  it('loses a variable that the spec names without a value, and keeps the others', async () => {
    const env = { GONE: null, ADDED: 'spec' };
    const seen = await output({ entrypoint: [], env, command: ['env'] });
    expect(seen).toContain('KEPT=image\n');
    expect(seen).toContain('ADDED=spec\n');
    expect(seen).not.toMatch(/^GONE/m);
  });

  it('is not built within a time that is too short, and the step is named', async () => {
    const promise = engine.build(buildSpec(`FROM ${base}\nRUN sleep 600\n`, { timeoutMs: 3_000 }), never);
    await expect(promise).rejects.toMatchObject({
      kind: 'build-timeout',
      message: expect.stringMatching(/Step 2\/\d : RUN sleep 600: not finished within its 3 s/) as string,
    });
  });

  it('shows the last output of a step that fails', async () => {
    const promise = engine.build(buildSpec(`FROM ${base}\nRUN echo the cause; exit 9\n`), never);
    await expect(promise).rejects.toThrow(
      /returned a non-zero code: 9\nLast output of the step:\n {2}the cause/,
    );
  });

  it('is refused, and not kept, when its base is for another platform than asked for', async () => {
    const spec = buildSpec(`FROM ${base}\n`, { platform: 'linux/s390x' });
    await expect(engine.build(spec, never)).rejects.toMatchObject({ kind: 'platform' });
    expect(await engine.image(spec.tag, never)).toBeUndefined();
  });
});
