import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildStandIn, type StandInTools } from '../../../scripts/build-stand-ins.ts';
import type { StandIn } from '../../../scripts/stand-in-names.ts';
import { type FakeEngine, makeFakeEngine } from '../../fakes/fake-engine.ts';

const FAT: StandIn = { kind: 'python', suite: 'trixie', fat: true };

/** The names that the real ones start from. */
const TEMPLATES = {
  system: 'FROM stand-in/packages-base AS packages\nFROM stand-in/base\n',
  python: 'FROM stand-in/system\n',
  fat: 'FROM stand-in/thin\n',
};

describe('building a stand-in', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillpair-stand-ins-'));
    for (const [kind, text] of Object.entries(TEMPLATES)) {
      await mkdir(join(folder, kind));
      await writeFile(join(folder, kind, 'Dockerfile'), text);
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  function toolsFor(engine: FakeEngine): StandInTools {
    return {
      engine,
      makeRootFileSystem: (tarPath) => writeFile(tarPath, 'a root file system'),
      templates: folder,
      cacheDir: join(folder, 'cache'),
      trustCa: 'none',
      certificates: { caDir: '/nowhere' },
      proxyEnv: {},
      say: () => undefined,
      signal: new AbortController().signal,
    };
  }

  const images = { 'skillpair/rootfs:bookworm': {}, 'skillpair/rootfs:trixie': {} };
  const tags = (engine: FakeEngine) => [...engine.images.values()].flatMap((image) => image.tags).sort();

  test('builds what it is made of first, and gives its name', async () => {
    const engine = makeFakeEngine({ images });
    expect(await buildStandIn(toolsFor(engine), FAT)).toBe('skillpair/stand-in:python-3.13-fat');
    expect(tags(engine)).toEqual([
      'skillpair/rootfs:bookworm',
      'skillpair/rootfs:trixie',
      'skillpair/stand-in:python-3.13',
      'skillpair/stand-in:python-3.13-fat',
      'skillpair/stand-in:trixie',
    ]);
  });

  test('builds nothing a second time', async () => {
    const engine = makeFakeEngine({ images });
    await buildStandIn(toolsFor(engine), FAT);
    const before = engine.callsOf('build').length;
    await buildStandIn(toolsFor(engine), FAT);
    expect([before, engine.callsOf('build').length]).toEqual([3, 3]);
  });
});
