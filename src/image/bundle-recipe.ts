import { join } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { Harness } from '../model/harness.ts';
import type { ImageRecipe } from './image-recipe.ts';
import { type PlainImage, plainRecipe } from './plain-recipe.ts';
import type { ResolveBase } from './resolved-base.ts';

const TIMEOUT_MS = 30 * 60_000;

/** The image of a harness bundle: its folder is the context. */
export function harnessImage({ manifest, dir }: Harness, platform: string): PlainImage {
  return bundleImage('harness', { subject: manifest.id, dir, platform });
}

/** The image of the verifier bundle. */
export function verifierImage(dir: string, platform: string): PlainImage {
  return bundleImage('verifier', { subject: 'verifier', dir, platform });
}

function bundleImage(
  purpose: 'harness' | 'verifier',
  { subject, dir, platform }: { subject: string; dir: string; platform: string },
): PlainImage {
  const dockerfilePath = join(dir, 'Dockerfile');
  return { purpose, subject, dockerfilePath, contextDir: dir, platform, timeoutMs: TIMEOUT_MS };
}

/** The recipe of a bundle. Throws Fault, for a harness with reason `harness-install-failed`. */
export async function bundleRecipe(
  image: PlainImage,
  resolve: ResolveBase,
  signal: AbortSignal,
): Promise<ImageRecipe> {
  try {
    const recipe = await plainRecipe(image, resolve, signal);
    if (recipe === undefined) throw new Error('a resolver that makes bases gave none');
    return recipe;
  } catch (error) {
    throw image.purpose === 'harness' && error instanceof Fault ? harnessFault(image, error) : error;
  }
}

function harnessFault({ subject }: PlainImage, cause: Fault): Fault {
  return new Fault('harness-install-failed', 'build', `harness ${subject}: ${cause.message}`, { cause });
}
