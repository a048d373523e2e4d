import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packTar } from '../../../src/engine/archive.ts';
import { idleContainer } from '../../../src/image/image-index.ts';
import type { Harness } from '../../../src/model/harness.ts';
import { madeProject, sha256, writeFiles } from '../../unit/image/made-project.ts';
import { madeStore, standIn, textOf } from './made-store.ts';

const ID = 'image-harness';
const TARGET = `/opt/skillpair/harness/${ID}`;
const FILES = {
  'program.sh*': '#!/bin/sh\necho hello\n',
  'lib/data.txt': 'data\n',
  Dockerfile: `FROM ubuntu:24.04
COPY program.sh lib ${TARGET}/
RUN ln ${TARGET}/program.sh ${TARGET}/same.sh && ln -s data.txt ${TARGET}/link && chown -R 5:6 ${TARGET}/data.txt
`,
};

function madeHarness(dir: string, bundle = true): Harness {
  return {
    manifest: {
      schemaVersion: 1,
      id: ID,
      version: '1',
      title: ID,
      command: ['true'],
      env: {},
      discovery: { home: [], project: [], system: [] },
      bundle,
      trajectory: 'none',
      files: [],
      sessionPaths: [],
      ownSkills: [],
    },
    dir,
    digest: sha256(ID),
  };
}

describe('a bundle volume', () => {
  test('holds what the bundle image holds, links and owners too, and is filled once', async () => {
    await using made = await madeStore([ID]);
    const dir = join(made.folder, ID);
    await writeFiles(dir, FILES);
    const volume = await made.store.harnessVolume(madeHarness(dir), made.signal);
    expect(volume).toMatch(new RegExp(`^skillpair-harness-${ID}-[0-9a-f]{16}$`));
    const lab = await made.engine.image(made.base, made.signal);
    const mounts = [{ volume: volume ?? '', target: TARGET, readOnly: true, noCopy: true }];
    const inside = { image: lab?.id ?? '', mounts };
    expect(await textOf(made, inside, `${TARGET}/same.sh`)).toBe('#!/bin/sh\necho hello\n');
    expect(await textOf(made, inside, `${TARGET}/data.txt`)).toBe('data\n');
    const marker = await textOf(made, inside, `${TARGET}/.skillpair-filled`);
    expect(marker).toMatch(/^sha256:/);
    expect(await made.again().harnessVolume(madeHarness(dir), made.signal)).toBe(volume);
    expect(made.events.flatMap((event) => (event.kind === 'build-ended' ? [event.cached] : []))).toEqual([
      false,
      true,
    ]);
  });

  test('that a killed process left half-filled is made anew', async () => {
    await using made = await madeStore([ID]);
    const dir = join(made.folder, ID);
    await writeFiles(dir, FILES);
    const volume = (await made.store.harnessVolume(madeHarness(dir), made.signal)) ?? '';
    const lab = (await made.engine.image(made.base, made.signal))?.id ?? '';
    const mounts = [{ volume, target: TARGET, readOnly: false, noCopy: true }];
    await made.engine.remove({ kind: 'volume', id: volume }, made.signal);
    await made.engine.createVolume(
      volume,
      { 'skillpair.managed': '1', 'skillpair.subject': ID },
      made.signal,
    );
    {
      await using torn = await made.engine.createContainer(
        { ...idleContainer(lab, 'torn'), mounts },
        made.signal,
      );
      const content = new TextEncoder().encode('#!/bin/sh\nec');
      await torn.put(
        packTar([{ path: 'program.sh', kind: 'file', mode: 0o755, uid: 0, gid: 0, content }]),
        TARGET,
        made.signal,
      );
    }
    expect(await made.again().harnessVolume(madeHarness(dir), made.signal)).toBe(volume);
    expect(await textOf(made, { image: lab, mounts }, `${TARGET}/program.sh`)).toBe(
      '#!/bin/sh\necho hello\n',
    );
    expect(await textOf(made, { image: lab, mounts }, `${TARGET}/data.txt`)).toBe('data\n');
  });

  test('of the verifier stands at its own path', async () => {
    await using made = await madeStore([]);
    const verifiersDir = join(made.folder, 'verifiers');
    await writeFiles(verifiersDir, {
      'check.sh': 'exit 0\n',
      Dockerfile: `FROM ubuntu:24.04\nCOPY check.sh /opt/skillpair/verifier/\n`,
    });
    const store = made.again({ project: madeProject(standIn(made.base), { verifiersDir }) });
    const volume = await store.verifierVolume(made.signal);
    const target = '/opt/skillpair/verifier';
    const mounts = [{ volume, target, readOnly: true, noCopy: true }];
    const image = (await made.engine.image(made.base, made.signal))?.id ?? '';
    expect(await textOf(made, { image, mounts }, `${target}/check.sh`)).toBe('exit 0\n');
    const digest = (await textOf(made, { image, mounts }, `${target}/.skillpair-filled`)) ?? 'none';
    for (const object of await made.engine.owned({ 'skillpair.digest': digest }, made.signal))
      await made.engine.remove(object, made.signal);
  });

  test('of an image with nothing at the path is refused, and a harness without a bundle needs none', async () => {
    await using made = await madeStore([ID]);
    const dir = join(made.folder, ID);
    await writeFiles(dir, { Dockerfile: `FROM ubuntu:24.04\nRUN true\n` });
    await expect(made.store.harnessVolume(madeHarness(dir), made.signal)).rejects.toMatchObject({
      reason: 'harness-install-failed',
      message: expect.stringContaining(TARGET) as string,
    });
    expect(await made.store.harnessVolume(madeHarness(dir, false), made.signal)).toBeUndefined();
  });
});
