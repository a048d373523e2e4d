import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { digestBytes } from './digest.ts';

/** Below this a file is read whole, which is several times faster than piece by piece. */
const SMALL = 1024 * 1024;
/** Large pieces: each costs a way to another thread and back. */
const PIECE = 1024 * 1024;

/** `sha256:<hex>` of a file's bytes; memory stays flat whatever its size. `size`: where the caller has it already. */
export async function fileDigest(path: string, size?: number): Promise<string> {
  if ((size ?? (await stat(path)).size) < SMALL) return digestBytes(await readFile(path));
  const hash = createHash('sha256');
  await using file = await open(path);
  // Two buffers, so that one is read into while the other is hashed.
  let [buffer, other] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)];
  let { bytesRead } = await file.read(buffer);
  while (bytesRead > 0) {
    const next = file.read(other);
    hash.update(buffer.subarray(0, bytesRead));
    [buffer, other] = [other, buffer];
    ({ bytesRead } = await next);
  }
  return `sha256:${hash.digest('hex')}`;
}
