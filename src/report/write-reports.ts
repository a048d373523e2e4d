import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import type { ReportFile } from './report-file.ts';

/** Characters held before they are handed to the file system. */
const BUFFERED = 256 * 1024;

/**
 * Writes reports into a folder, which is made where it is missing; each file whole or not at all, one after the other.
 * Files of an earlier writing that are not among these stay. Resolves with the paths written, in order; rejects with
 * the file system's error. One writer at a time per folder.
 */
export async function writeReports(reportsDir: string, files: readonly ReportFile[]): Promise<string[]> {
  const paths: string[] = [];
  for (const { path, content } of files) {
    const target = join(reportsDir, path);
    await mkdir(dirname(target), { recursive: true });
    if (typeof content === 'string') await atomicWrite(target, content);
    else await atomicStream(target, content);
    paths.push(target);
  }
  return paths;
}

async function atomicStream(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await using file = await open(temporary, 'w');
    let buffer = '';
    for await (const piece of pieces) {
      buffer += piece;
      if (buffer.length < BUFFERED) continue;
      await file.appendFile(buffer);
      buffer = '';
    }
    await file.appendFile(buffer);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await rename(temporary, path);
}
