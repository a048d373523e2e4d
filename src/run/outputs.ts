import { createReadStream, createWriteStream } from 'node:fs';
import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { assertNever } from '../base/assert-never.ts';
import { packTar, type ReadEntry, readTar, type TarEntry } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';

/** Most bytes taken from an agent's container; the file that goes beyond, and all that would follow, is left out and noted. */
export const OUTPUT_LIMIT_BYTES = 1 << 30;

/** What was left out of the outputs, by container path, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: 'absent' | 'link-out-of-outputs' | 'not-a-file' | 'too-large';
}

/**
 * Takes the declared outputs from a stopped container into one host tar whose paths are relative to `/`.
 *
 * Only folders, regular files, further names of files taken already, and links that stay inside the outputs survive: a link to
 * `/tests` would otherwise hand the verifier its own answer. Set-id bits are dropped. A declared output that is not there is
 * named as absent. At the first file that is too large the reading ends: a file with holes may claim any size, and the engine
 * would send all of it.
 */
export async function takeOutputs(input: {
  readonly container: Container;
  readonly outputs: readonly string[];
  readonly tarPath: string;
  readonly signal: AbortSignal;
}): Promise<LeftOut[]> {
  const leftOut: LeftOut[] = [];
  const entries = safeEntries(input, leftOut);
  await pipeline(packTar(entries), createWriteStream(input.tarPath), { signal: input.signal });
  return leftOut;
}

/** The entries of such a tar, as they went in. */
export async function* keptOutputs(tarPath: string): AsyncGenerator<TarEntry> {
  for await (const entry of readTar(createReadStream(tarPath))) yield toEntry(placedIn('/', entry));
}

async function* safeEntries(
  input: { container: Container; outputs: readonly string[]; signal: AbortSignal },
  leftOut: LeftOut[],
): AsyncGenerator<TarEntry> {
  const taken: Taken = { outputs: input.outputs, files: new Set(), bytes: 0 };
  for (const output of input.outputs) {
    const tar = await input.container.get(output, input.signal);
    if (tar === undefined) {
      leftOut.push({ path: output, why: 'absent' });
      continue;
    }
    for await (const entry of readTar(tar)) {
      const placed = placedIn(posix.dirname(output), entry);
      const why = refusal(placed, taken);
      if (why === undefined) yield toEntry(placed);
      else leftOut.push({ path: placed.path, why });
      if (why === 'too-large') break;
    }
  }
}

/** What has been taken so far. */
interface Taken {
  readonly outputs: readonly string[];
  /** Container paths of regular files. */
  readonly files: Set<string>;
  bytes: number;
}

/** A hard link names another entry of its tar, as the container path of that; any other link what it says. */
function placedIn(parent: string, entry: ReadEntry): ReadEntry & { readonly target: string } {
  const { path, kind, target = '' } = entry;
  const named = kind === 'hard-link' ? posix.join(parent, target) : target;
  return { ...entry, path: posix.join(parent, path), target: named };
}

function refusal(
  { kind, path, target, size }: ReadEntry & { readonly target: string },
  taken: Taken,
): LeftOut['why'] | undefined {
  taken.bytes += size;
  if (taken.bytes > OUTPUT_LIMIT_BYTES) return 'too-large';
  switch (kind) {
    case 'other':
      return 'not-a-file';
    case 'hard-link':
      return taken.files.has(target) ? undefined : 'link-out-of-outputs';
    case 'link':
      return staysInside(target, posix.dirname(path), taken.outputs) ? undefined : 'link-out-of-outputs';
    case 'file':
      taken.files.add(path);
      return undefined;
    case 'folder':
      return undefined;
    default:
      return assertNever(kind);
  }
}

/** `..` after a name could climb through another link, so only leading ones are resolved; the folder they start from is real. */
function staysInside(target: string, from: string, outputs: readonly string[]): boolean {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const firstName = parts.findIndex((part) => part !== '..');
  if (firstName !== -1 && parts.includes('..', firstName)) return false;
  const resolved = posix.resolve(from, target);
  return outputs.some((output) => resolved === output || resolved.startsWith(`${output}/`));
}

function toEntry({ kind, path, target, mode, ...entry }: ReadEntry & { readonly target: string }): TarEntry {
  const shared = { path: path.slice(1), mode: mode & 0o777, uid: entry.uid, gid: entry.gid };
  if (kind === 'folder') return { ...shared, kind };
  if (kind === 'link') return { ...shared, kind, target };
  if (kind === 'hard-link') return { ...shared, kind, target: target.slice(1) };
  return { ...shared, kind: 'file', content: { stream: entry.content, size: entry.size } };
}
