import { createWriteStream } from 'node:fs';
import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { packTar, type ReadEntry, readTar, type TarEntry } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';

/** Most bytes taken from an agent's container; what goes beyond is left out and noted. */
export const OUTPUT_LIMIT_BYTES = 1 << 30;

/** What was left out of the outputs, by container path, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: 'link-out-of-outputs' | 'not-a-file' | 'too-large';
}

/**
 * Takes the declared outputs from a stopped container into one host tar whose paths are relative to `/`.
 *
 * Only folders, regular files, and links that stay inside the outputs survive: a link to `/tests` would otherwise hand the
 * verifier its own answer. Set-id bits are dropped. A declared output that is not there is simply absent.
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

async function* safeEntries(
  input: { container: Container; outputs: readonly string[]; signal: AbortSignal },
  leftOut: LeftOut[],
): AsyncGenerator<TarEntry> {
  let bytes = 0;
  for (const output of input.outputs) {
    const tar = await input.container.get(output, input.signal);
    if (tar === undefined) continue;
    for await (const entry of readTar(tar)) {
      const path = posix.join(posix.dirname(output), entry.path);
      bytes += entry.size;
      const why = bytes > OUTPUT_LIMIT_BYTES ? 'too-large' : refusal(entry, path, input.outputs);
      if (why !== undefined) leftOut.push({ path, why });
      else yield toEntry(entry, path);
    }
  }
}

function refusal(entry: ReadEntry, path: string, outputs: readonly string[]): LeftOut['why'] | undefined {
  if (entry.kind === 'other') return 'not-a-file';
  if (entry.kind === 'hard-link') return 'link-out-of-outputs';
  if (entry.kind !== 'link') return undefined;
  return staysInside(entry.target ?? '', posix.dirname(path), outputs) ? undefined : 'link-out-of-outputs';
}

/** `..` after a name could climb through another link, so only leading ones are resolved; the folder they start from is real. */
function staysInside(target: string, from: string, outputs: readonly string[]): boolean {
  const climbsLater = /[^/.][^/]*\/+\.\.(\/|$)/.test(target);
  const resolved = posix.resolve(from, target);
  return !climbsLater && outputs.some((output) => resolved === output || resolved.startsWith(`${output}/`));
}

function toEntry(entry: ReadEntry, path: string): TarEntry {
  const shared = { path: path.slice(1), mode: entry.mode & 0o777, uid: entry.uid, gid: entry.gid };
  if (entry.kind === 'folder') return { ...shared, kind: 'folder' };
  if (entry.kind === 'link') return { ...shared, kind: 'link', target: entry.target ?? '' };
  return { ...shared, kind: 'file', content: { stream: entry.content, size: entry.size } };
}
