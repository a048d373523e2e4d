import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeBaseImages } from '../../../src/image/base-images.ts';
import { makeImageBuilder } from '../../../src/image/image-builder.ts';
import type { ImageSettings } from '../../../src/model/experiment.ts';
import { type FakeEngineInput, makeFakeEngine } from '../../fakes/fake-engine.ts';
import { temporaryFolder, writeFiles } from './made-project.ts';

const signal = new AbortController().signal;
const wanted = (name: string, platform?: string) => ({ name, platform, copiedFrom: false });

function made(folder: string, input: FakeEngineInput, settings: Partial<ImageSettings> = {}) {
  const engine = makeFakeEngine(input);
  const builder = makeImageBuilder({
    engine,
    cacheDir: join(folder, 'cache'),
    proxyEnv: {},
    emit: () => undefined,
    now: () => new Date(0),
    runSignal: signal,
  });
  const bases = makeBaseImages({
    engine,
    builder,
    settings: { substitute: {}, trustCa: 'none', buildTimeFactor: 1, ...settings },
    projectRoot: folder,
    certificates: { caDir: join(folder, 'ca') },
    platform: async () => settings.platform ?? 'linux/amd64',
    runSignal: signal,
  });
  return { engine, bases };
}

describe('a base image', () => {
  test('is the local image of that name, without a pull', async () => {
    await using folder = await temporaryFolder();
    const { engine, bases } = made(folder.path, { images: { 'ubuntu:24.04': {} } });
    const base = await bases.resolve(wanted('ubuntu:24.04'), signal);
    expect(base).toMatchObject({
      name: 'ubuntu:24.04',
      substituted: false,
      info: { tags: ['ubuntu:24.04'] },
    });
    expect(engine.callsOf('pull')).toEqual([]);
    expect(bases.resolved()).toEqual({ 'ubuntu:24.04': { image: base.original, substituted: false } });
  });

  test.each(['skillpair/bse:1', 'skillpair/base', 'skilpair/base:1'])(
    'that is nearly our own is told with its name: %s',
    async (name) => {
      await using folder = await temporaryFolder();
      const { bases } = made(folder.path, {});
      await expect(bases.resolve(wanted(name), signal)).rejects.toThrow('Did you mean skillpair/base:1?');
      await expect(bases.resolve(wanted('debian:99'), signal)).rejects.not.toThrow('Did you mean');
    },
  );

  test.each([
    ['ubuntu:24.04', 'ubuntu:24.04'],
    ['docker.io/library/ubuntu:24.04', 'ubuntu:24.04'],
    ['ubuntu:24.04', 'docker.io/library/ubuntu:24.04'],
    ['python', 'python:latest'],
    ['ghcr.io/a/b:1', 'ghcr.io/a/b:1'],
  ])('%s is substituted by the entry %s', async (name, key) => {
    await using folder = await temporaryFolder();
    const { bases } = made(
      folder.path,
      { images: { 'lab:1': {}, 'ubuntu:24.04': { env: ['X=1'] } } },
      { substitute: { [key]: 'lab:1' } },
    );
    expect(await bases.resolve(wanted(name), signal)).toMatchObject({
      substituted: true,
      info: { tags: ['lab:1'] },
    });
  });

  test.each([['ubuntu:22.04'], ['ubuntu'], ['other/ubuntu:24.04'], ['constructor']])(
    '%s is not substituted by an entry for ubuntu:24.04',
    async (name) => {
      await using folder = await temporaryFolder();
      const { bases } = made(
        folder.path,
        { images: { 'lab:1': {} }, registry: { [name]: {} } },
        { substitute: { 'ubuntu:24.04': 'lab:1' } },
      );
      expect(await bases.resolve(wanted(name), signal)).toMatchObject({ substituted: false });
    },
  );

  test('whose tag is moved while a run is under way stays what it was, until another run', async () => {
    await using folder = await temporaryFolder();
    const input = { images: { 'ubuntu:24.04': { env: ['X=before'] } } };
    const { engine, bases } = made(folder.path, input);
    const before = await bases.resolve(wanted('ubuntu:24.04'), signal);
    const moved = engine.addImage('ubuntu:24.04', { env: ['X=after'] });
    expect(moved).not.toBe(before.info.id);
    expect((await bases.resolve(wanted('ubuntu:24.04'), signal)).info.id).toBe(before.info.id);
    expect(bases.resolved()['ubuntu:24.04']?.image).toBe(before.original);
  });

  test('is pulled once where it is not local', async () => {
    await using folder = await temporaryFolder();
    const { engine, bases } = made(folder.path, { registry: { 'ubuntu:24.04': {} } });
    await Promise.all([1, 2, 3].map(() => bases.resolve(wanted('ubuntu:24.04'), signal)));
    expect(engine.callsOf('pull')).toEqual(['ubuntu:24.04']);
  });

  test('that cannot be had is told with the reason and the repair', async () => {
    await using folder = await temporaryFolder();
    const { bases } = made(folder.path, {});
    await expect(bases.resolve(wanted('ubuntu:24.04'), signal)).rejects.toMatchObject({
      reason: 'build-failed',
      phase: 'build',
      message: expect.stringMatching(/manifest unknown.*\n.*substitute: \{ "ubuntu:24\.04"/) as string,
    });
  });

  test('whose stand-in is absent is told by both names', async () => {
    await using folder = await temporaryFolder();
    const { bases } = made(folder.path, {}, { substitute: { 'ubuntu:24.04': 'lab:1' } });
    await expect(bases.resolve(wanted('ubuntu:24.04'), signal)).rejects.toThrow(
      /maps ubuntu:24.04 to lab:1, which is not on this machine/,
    );
  });

  test.each([
    ['linux/arm64', undefined, true],
    [undefined, 'linux/arm64', true],
    ['linux/amd64', 'linux/arm64', false],
    ['', undefined, false],
    ['linux/amd64/v2', undefined, false],
  ])(
    'FROM --platform=%s and images.platform %s: refused is %s for an amd64 image',
    async (named, platform, refused) => {
      await using folder = await temporaryFolder();
      const settings = platform === undefined ? {} : { platform };
      const { bases } = made(folder.path, { images: { 'a:1': { platform: 'linux/amd64' } } }, settings);
      const outcome = bases.resolve(wanted('a:1', named), signal);
      if (refused)
        await expect(outcome).rejects.toThrow(/a:1 is for linux\/amd64, but linux\/arm64 is wanted/);
      else await expect(outcome).resolves.toMatchObject({ name: 'a:1' });
    },
  );

  test("called skillpair/base:1 is built from the project's Dockerfile.base, whose own base resolves the same way", async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, { 'Dockerfile.base': 'FROM debian:12-slim\nENV MADE=here\n' });
    const { engine, bases } = made(
      folder.path,
      { images: { 'lab:1': {} } },
      { substitute: { 'debian:12-slim': 'lab:1' } },
    );
    const base = await bases.resolve(wanted('skillpair/base:1'), signal);
    expect(base.info.env).toContain('MADE=here');
    expect(engine.callsOf('build')).toEqual([expect.stringMatching(/^skillpair\/base:[0-9a-f]{64}$/)]);
    expect(await bases.toPull(wanted('skillpair/base:1'), signal)).toEqual([]);
  });

  test('carries the certificates of the host, made once, and never where it is only copied from', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(join(folder.path, 'ca'), { 'own.crt': 'PEM', 'ignored.txt': 'no' });
    const { engine, bases } = made(
      folder.path,
      { images: { 'a:1': { user: 'worker' } } },
      { trustCa: 'host' },
    );
    const base = await bases.resolve(wanted('a:1'), signal);
    expect(base.info.env.join()).toContain('/etc/ssl/certs/ca-certificates.crt');
    expect(base.info.user).toBe('worker');
    expect(base.original).toBe((await engine.image('a:1', signal))?.id);
    const copied = await bases.resolve({ ...wanted('a:1'), copiedFrom: true }, signal);
    expect(copied.info.id).toBe(base.original);
    expect(engine.callsOf('build')).toHaveLength(1);
  });

  test('on a host without extra certificates is left alone', async () => {
    await using folder = await temporaryFolder();
    const { engine, bases } = made(folder.path, { images: { 'a:1': {} } }, { trustCa: 'host' });
    await bases.resolve(wanted('a:1'), signal);
    expect(engine.callsOf('build')).toEqual([]);
  });

  test('is only looked for where nothing may be built', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, { 'Dockerfile.base': 'FROM debian:12-slim\n' });
    const { engine, bases } = made(folder.path, { images: { 'a:1': {} }, registry: { 'b:1': {} } });
    expect(await bases.find(wanted('a:1'), signal)).toMatchObject({ name: 'a:1' });
    expect(await bases.find(wanted('b:1'), signal)).toBeUndefined();
    expect(await bases.find(wanted('skillpair/base:1'), signal)).toBeUndefined();
    expect(await bases.toPull(wanted('skillpair/base:1'), signal)).toEqual(['debian:12-slim']);
    expect([...engine.callsOf('pull'), ...engine.callsOf('build')]).toEqual([]);
  });
});
