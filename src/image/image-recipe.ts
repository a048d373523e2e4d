import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { digestValue } from '../base/digest.ts';
import { packTar } from '../engine/archive.ts';
import { type ContextEntry, toTarEntry } from './context-entries.ts';

/** What an image of ours is for; it names the image's repository, `skillpair/<purpose>`. */
export type ImagePurpose = 'task' | 'harness' | 'verifier' | 'base' | 'certificates';

/** Everything that goes into one image. Equal recipes give equal tags. */
export interface ImageRecipe {
  readonly purpose: ImagePurpose;
  /** The task, harness or base it is for: in messages and labels, not in the digest. */
  readonly subject: string;
  readonly entries: readonly ContextEntry[];
  /** The effective Dockerfile: bases by image id. */
  readonly text: string;
  /** Ids of all images that the text starts from or copies from. */
  readonly bases: readonly string[];
  readonly platform: string;
  readonly timeoutMs: number;
}

/** Our Dockerfile stands beside the task's own one, which a `COPY . .` may copy; the builder takes ours out again. */
export const SENT_DOCKERFILE = '.skillpair-dockerfile';

/** Content address of an image: all bytes and modes that are sent, the Dockerfile, the bases, the platform. */
export function recipeDigest(recipe: ImageRecipe): string {
  const { entries, text, bases, platform } = recipe;
  return digestValue({
    recipe: 1,
    entries: entries.map(({ path, kind, mode, digest, target }) => ({ path, kind, mode, digest, target })),
    text,
    bases: [...bases].sort(),
    platform,
  });
}

/** `skillpair/<purpose>:<64 hex digits>`. */
export function recipeTag(recipe: ImageRecipe): string {
  return `skillpair/${recipe.purpose}:${recipeDigest(recipe).slice('sha256:'.length)}`;
}

/** Makes the tar that the engine builds from. The function it gives may be called again for a second go. */
export async function recipeContext(recipe: ImageRecipe): Promise<() => Readable> {
  const dockerfile = fileEntry(SENT_DOCKERFILE, recipe.text);
  const ignore = fileEntry('.dockerignore', await ignoreText(recipe.entries));
  const entries = [
    ...recipe.entries.filter(({ path }) => path !== ignore.path && path !== dockerfile.path),
    dockerfile,
    ignore,
  ];
  return () => packTar(entries.map(toTarEntry));
}

/**
 * The builder drops its own two files from the context where `.dockerignore` names them, and reads that file for
 * nothing else: the context was filtered here. A task's own file stays and only gets our line.
 */
async function ignoreText(entries: readonly ContextEntry[]): Promise<string> {
  const own = entries.find(({ path }) => path === '.dockerignore')?.content;
  if (own === undefined) return `${SENT_DOCKERFILE}\n.dockerignore\n`;
  const bytes = 'hostPath' in own ? await readFile(own.hostPath) : own;
  return `${new TextDecoder().decode(bytes).replace(/\n?$/, '\n')}${SENT_DOCKERFILE}\n`;
}

function fileEntry(path: string, text: string): ContextEntry {
  const content = new TextEncoder().encode(text);
  return { path, kind: 'file', mode: 0o644, size: content.byteLength, content };
}
