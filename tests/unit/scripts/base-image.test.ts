import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BASE, type BaseImageTools, ensureBaseImage } from '../../../scripts/base-image.ts';
import { machineSettings } from '../../../scripts/machine-settings.ts';
import { readTar } from '../../../src/engine/archive.ts';
import type { BuildSpec, ImageInfo } from '../../../src/engine/engine.ts';

/** An engine that only knows images: those it has, those its registry has, and those that were built. */
class ImageShelf {
  readonly images: Set<string>;
  readonly registry: readonly string[];
  readonly builds: { tag: string; labels: unknown; files: string[] }[] = [];

  constructor(images: readonly string[], registry: readonly string[] = []) {
    this.images = new Set(images);
    this.registry = registry;
  }

  async image(name: string): Promise<ImageInfo | undefined> {
    return this.images.has(name) ? ({ id: `sha256:${name}` } as ImageInfo) : undefined;
  }

  async pull(name: string): Promise<string> {
    if (!this.registry.includes(name)) throw new Error('no such host');
    this.images.add(name);
    return `sha256:${name}`;
  }

  async build(spec: BuildSpec): Promise<string> {
    const files: string[] = [];
    for await (const entry of readTar(spec.context())) {
      files.push(entry.path);
      entry.content.resume();
    }
    this.builds.push({ tag: spec.tag, labels: spec.labels, files });
    this.images.add(spec.tag);
    return `sha256:${spec.tag}`;
  }
}

describe('ensureBaseImage', () => {
  let folder: string;
  let settingsPath: string;
  let said: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillpair-base-'));
    settingsPath = join(folder, 'machine.yaml');
    said = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  function toolsFor(shelf: ImageShelf): BaseImageTools {
    return {
      engine: shelf as unknown as BaseImageTools['engine'],
      settings: machineSettings(settingsPath, join(folder, 'ca')),
      makeRootFileSystem: (tarPath) => writeFile(tarPath, 'a root file system'),
      say: (line) => said.push(line),
    };
  }

  test('does and says nothing when the image is there', async () => {
    const shelf = new ImageShelf(['debian:12-slim']);
    expect(await ensureBaseImage(toolsFor(shelf))).toBe('debian:12-slim');
    expect([said, shelf.builds, existsSync(settingsPath)]).toEqual([[], [], false]);
  });

  test('pulls the image where a registry answers, and makes nothing', async () => {
    const shelf = new ImageShelf([], ['debian:12-slim']);
    expect(await ensureBaseImage(toolsFor(shelf))).toBe('debian:12-slim');
    expect([shelf.builds, existsSync(settingsPath)]).toEqual([[], false]);
  });

  test('makes a labelled stand-in where no registry answers, and names it in the settings', async () => {
    const shelf = new ImageShelf([]);
    expect(await ensureBaseImage(toolsFor(shelf))).toBe('skillpair/rootfs:bookworm');
    expect(shelf.builds).toEqual([
      {
        tag: 'skillpair/rootfs:bookworm',
        labels: { 'skillpair.managed': '1', 'skillpair.kind': 'rootfs' },
        files: ['Dockerfile', 'rootfs.tar'],
      },
    ]);
    expect(parse(await readFile(settingsPath, 'utf8'))).toEqual({
      schemaVersion: 1,
      substitute: { 'debian:12-slim': 'skillpair/rootfs:bookworm' },
    });
  });

  test('trusts the certificates of a host that has any of its own', async () => {
    await mkdir(join(folder, 'ca'));
    await writeFile(join(folder, 'ca/company.crt'), '');
    await ensureBaseImage(toolsFor(new ImageShelf([])));
    expect(parse(await readFile(settingsPath, 'utf8'))).toMatchObject({ trustCa: 'host' });
  });

  test('does nothing the second time', async () => {
    const shelf = new ImageShelf([]);
    await ensureBaseImage(toolsFor(shelf));
    said = [];
    await ensureBaseImage(toolsFor(shelf));
    expect([shelf.builds.length, said]).toEqual([1, []]);
  });

  test('makes its own stand-in again when it was removed', async () => {
    const shelf = new ImageShelf([]);
    await ensureBaseImage(toolsFor(shelf));
    shelf.images.clear();
    await ensureBaseImage(toolsFor(shelf));
    expect(shelf.builds).toHaveLength(2);
  });

  test('leaves settings that somebody wrote as they are, and says what to add', async () => {
    await writeFile(settingsPath, 'trustCa: none\n');
    const refusal = await ensureBaseImage(toolsFor(new ImageShelf([]))).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ repair: expect.stringContaining(`${BASE}: skillpair/rootfs:bookworm`) });
    expect(await readFile(settingsPath, 'utf8')).toBe('trustCa: none\n');
  });

  test("names a user's own substitute that the engine does not have", async () => {
    await writeFile(settingsPath, 'substitute: { "debian:12-slim": "company/debian:12" }\n');
    await expect(ensureBaseImage(toolsFor(new ImageShelf([])))).rejects.toThrow('company/debian:12');
  });
});
