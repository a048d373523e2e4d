import { open } from 'node:fs/promises';

const BLOCK = 64 * 1024;

/**
 * Cuts off a last line that a killed runner left torn, so that new events start on a line of their own.
 * Returns how many bytes went; 0 when the file is whole, empty or absent. Only for the owner of the run folder.
 */
export async function mendJournal(path: string): Promise<number> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  try {
    const { size } = await file.stat();
    const whole = await wholeLines(file, size);
    if (whole < size) {
      await file.truncate(whole);
      await file.sync();
    }
    return size - whole;
  } finally {
    await file.close();
  }
}

/** Bytes up to and with the last newline, looked for from the end. */
async function wholeLines(file: Awaited<ReturnType<typeof open>>, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK);
  for (let end = size; end > 0; end -= BLOCK) {
    const start = Math.max(0, end - BLOCK);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const newline = block.subarray(0, bytesRead).lastIndexOf(10);
    if (newline >= 0) return start + newline + 1;
  }
  return 0;
}
