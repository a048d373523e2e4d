import { open } from 'node:fs/promises';

/** The last `limit` bytes of a file as text; empty when the file is not there. */
export async function textTail(path: string, limit: number): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, limit);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}
