import type { Engine } from '../engine/engine.ts';
import type { Harness } from '../model/harness.ts';
import type { BaseImages } from './base-images.ts';
import { bundleRecipe, harnessImage, verifierImage } from './bundle-recipe.ts';
import { type Bundle, fillBundleVolume } from './bundle-volume.ts';
import { type FilledBundle, readHarnessVersion } from './harness-version.ts';
import type { ImageBuilder } from './image-builder.ts';
import type { PlainImage } from './plain-recipe.ts';
import { makeSharedWork } from './shared-work.ts';

/** Makes and finds the volumes of a run, each once, whoever asks. */
export interface BundleStore {
  /**
   * Name of the filled volume, whose program has said that it is of the manifest's version; undefined for a harness without a bundle.
   * Throws Fault `harness-install-failed`.
   */
  harnessVolume(harness: Harness, signal: AbortSignal): Promise<string | undefined>;
  /** What the program of a harness said of its version, once `harnessVolume` has been given; undefined where it was not asked. */
  harnessVersion(harness: Harness): string | undefined;
  verifierVolume(signal: AbortSignal): Promise<string>;
}

/** What bundles are made with. */
export interface BundleStoreTools {
  readonly engine: Engine;
  readonly cacheDir: string;
  readonly verifiersDir: string;
  readonly builder: ImageBuilder;
  readonly bases: Pick<BaseImages, 'resolve'>;
  readonly platform: () => Promise<string>;
  /** Ends builds; the signals of single calls only end their waiting. */
  readonly runSignal: AbortSignal;
}

/** The {@link BundleStore} of a run. */
export function makeBundleStore(tools: BundleStoreTools): BundleStore {
  const { engine, cacheDir, builder, bases, platform, runSignal } = tools;
  const filled = makeSharedWork<FilledBundle>();
  const versions = new Map<string, string>();

  const fill = async (image: PlainImage, id: string): Promise<FilledBundle> => {
    const recipe = await bundleRecipe(image, bases.resolve, runSignal);
    const { info, digest } = await builder.build(recipe, runSignal);
    const kind: Bundle['kind'] = image.purpose === 'harness' ? 'harness' : 'verifier';
    const bundle: Bundle = { kind, id, image: info.id, digest };
    return { ...bundle, volume: await fillBundleVolume({ engine, cacheDir }, bundle, runSignal) };
  };

  const fillHarness = async (harness: Harness): Promise<FilledBundle> => {
    const { id } = harness.manifest;
    const bundle = await fill(harnessImage(harness, await platform()), id);
    const said = await readHarnessVersion({ engine, cacheDir }, { harness, bundle }, runSignal);
    if (said !== undefined) versions.set(id, said);
    return bundle;
  };

  return {
    harnessVolume: async (harness, signal) => {
      const { bundle, id } = harness.manifest;
      if (!bundle) return undefined;
      return (await filled.join(`harness/${id}`, () => fillHarness(harness), signal)).volume;
    },
    harnessVersion: ({ manifest }) => versions.get(manifest.id),
    verifierVolume: async (signal) => {
      const make = async () => fill(verifierImage(tools.verifiersDir, await platform()), 'verifier');
      return (await filled.join('verifier', make, signal)).volume;
    },
  };
}
