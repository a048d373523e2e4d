import { open } from 'node:fs/promises';

const TAIL_BYTES = 8 * 1024;

/** The last 8 KiB of a file as text; empty when there is no such file. */
export async function streamTail(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
