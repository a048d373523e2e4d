import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine } from '../../../src/engine/docker/connect.ts';
import type { Container, Engine, ImageId } from '../../../src/engine/engine.ts';
import { readImageIndex } from '../../../src/image/image-index.ts';
import { planRestoration } from '../../../src/run/restoration.ts';
import { restore } from '../../../src/run/restore.ts';
import { baseImage } from '../engine/base-image.ts';

const LABELS = { 'skillpair.test': `restore-${process.pid}` };
const never = new AbortController().signal;
const DIST = '/usr/local/lib/python3.11/dist-packages';

const TASK = `set -e
mkdir -p ${DIST}/numpy/core ${DIST}/numpy-1.26.4.dist-info
echo old >${DIST}/numpy/__init__.py; echo old >${DIST}/numpy/core/multiarray.py
for i in $(seq 20); do echo old >${DIST}/numpy/core/m$i.py; done
echo old >${DIST}/numpy-1.26.4.dist-info/METADATA
echo tool >/usr/local/bin/first; chmod 4750 /usr/local/bin/first; ln /usr/local/bin/first /usr/local/bin/second
find ${DIST}/numpy* -exec touch -d '2 hours ago' {} +`;

const AGENT = `set -e
rm -r ${DIST}/numpy-1.26.4.dist-info ${DIST}/numpy/core; mkdir -p ${DIST}/numpy-2.0.dist-info ${DIST}/pytest
echo new >${DIST}/numpy/__init__.py; echo new >${DIST}/numpy-2.0.dist-info/METADATA
echo fake >${DIST}/pytest/__init__.py
echo bad >/usr/local/bin/second.new; mv /usr/local/bin/second.new /usr/local/bin/second
mkdir -p /root/.local/bin; echo fake >/root/.local/bin/env; printf '#!/bin/sh\\necho fake' >/usr/local/bin/ls; chmod 755 /usr/local/bin/ls
echo 'echo from profile' >>/etc/profile; echo honest >/usr/local/bin/honest`;

const LOOK = `cd ${DIST}
cat numpy/__init__.py numpy/core/multiarray.py numpy/core/m20.py numpy-1.26.4.dist-info/METADATA | tr '\\n' ' '
find numpy-2.0.dist-info pytest | tr '\\n' ' '; echo
cat /usr/local/bin/second; stat -c %a /usr/local/bin/second
[ -f /root/.local/bin/env ] || echo no env; echo mine >/root/.local/bin/env; cat /root/.local/bin/env
command -v ls; grep -c 'from profile' /etc/profile; cat /usr/local/bin/honest`;

describe('a snapshot on a real engine', () => {
  let engine: Engine;
  let base: ImageId;
  let dir: string;
  const images: ImageId[] = [];
  beforeAll(async () => {
    engine = await connectEngine({ env: process.env });
    base = (await baseImage(engine)).id;
    dir = await mkdtemp(join(tmpdir(), 'skillpair-restore-'));
  });
  afterAll(async () => {
    for (const object of await engine.owned(LABELS, never))
      if (object.kind === 'container') await engine.remove(object, never);
    for (const image of images.reverse()) await engine.removeImage(image, never);
    await rm(dir, { recursive: true });
  });

  const create = (name: string, image: ImageId, script: string) =>
    engine.createContainer(
      {
        name: `skillpair-restore-${process.pid}-${name}`,
        image,
        command: ['sh', '-c', script],
        user: '0:0',
        env: { LC_ALL: 'C' },
        labels: LABELS,
        cpus: 1,
        memoryBytes: 256 * 2 ** 20,
        pids: 50,
        network: 'none',
        mounts: [],
      },
      never,
    );
  const output = async (container: Container): Promise<string> => {
    const [stdoutPath, stderrPath] = [join(dir, 'stdout'), join(dir, 'stderr')];
    const ways = { stdoutPath, stderrPath, timeoutMs: 60_000, graceMs: 100, signal: never };
    const exit = await container.runMain(ways);
    expect(exit, await readFile(stderrPath, 'utf8')).toMatchObject({ exitCode: 0 });
    return readFile(stdoutPath, 'utf8');
  };
  const kept = async (container: Container): Promise<ImageId> => {
    const image = await container.commit(LABELS, never);
    images.push(image);
    return image;
  };

  it('has the image’s own programs and packages back, nothing planted, and the honest work', async () => {
    await using builder = await create('task', base, TASK);
    await output(builder);
    const task = await kept(builder);
    await using agent = await create('agent', task, AGENT);
    await output(agent);
    const index = await readImageIndex({ engine, cacheDir: dir }, task, never);
    const info = await engine.image(task, never);
    if (info === undefined) throw new Error('the image has gone');
    const plan = planRestoration(await agent.changes(never), {
      image: { index, info },
      injected: new Set(),
    });
    await using snapshot = await create('verifier', await kept(agent), LOOK);
    const notices = await restore({
      plan,
      snapshot,
      signal: never,
      withPristine: async (use) => {
        await using pristine = await create('pristine', task, 'true');
        await use(pristine);
      },
    });
    expect(notices.map(({ code }) => code)).toEqual(['restored', 'removed', 'uninstalled']);
    const [packages, tool, mode, ...rest] = (await output(snapshot)).trimEnd().split('\n');
    expect(packages).toBe('old old old old numpy-2.0.dist-info pytest ');
    expect([tool, mode]).toEqual(['tool', '4750']);
    expect(rest).toEqual(['no env', 'mine', '/usr/bin/ls', '0', 'honest']);
  });
});
