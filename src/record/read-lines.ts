import { type FileHandle, open } from 'node:fs/promises';

const BLOCK = 256 * 1024;
const NEWLINE = 10;

/**
 * Hands every whole line of a text file to `onLine`, without its end and in order; resolves to the number of bytes after the last newline.
 * Memory stays at the longest line, since one buffer serves the whole file. Stops at, and rejects with, what `onLine` throws.
 */
export async function readLines(path: string, onLine: (text: string) => void): Promise<number> {
  const file = await open(path, 'r');
  try {
    return await eachLine(file, onLine);
  } finally {
    await file.close();
  }
}

async function eachLine(file: FileHandle, onLine: (text: string) => void): Promise<number> {
  let buffer = Buffer.alloc(BLOCK);
  let kept = 0;
  for (;;) {
    if (kept === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)]);
    const { bytesRead } = await file.read(buffer, kept, buffer.length - kept);
    if (bytesRead === 0) return kept;
    const filled = kept + bytesRead;
    const end = buffer.subarray(0, filled).lastIndexOf(NEWLINE) + 1;
    if (end > 0) for (const line of buffer.toString('utf8', 0, end - 1).split('\n')) onLine(line);
    buffer.copyWithin(0, end, filled);
    kept = filled - end;
  }
}
