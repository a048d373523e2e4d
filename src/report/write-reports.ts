import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import type { ReportFile, ReportPart } from './report-file.ts';

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
    else await atomicStream(target, content, reportsDir);
    paths.push(target);
  }
  return paths;
}

async function atomicStream(
  path: string,
  pieces: AsyncIterable<string | ReportPart>,
  reportsDir: string,
): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await using file = await open(temporary, 'w');
    let buffer = '';
    for await (const piece of pieces) {
      if (typeof piece === 'string') buffer += piece;
      if (typeof piece === 'string' && buffer.length < BUFFERED) continue;
      await file.appendFile(buffer);
      buffer = '';
      if (typeof piece !== 'string') await appendPart(file, piece, reportsDir);
    }
    await file.appendFile(buffer);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await rename(temporary, path);
}

/** Through one buffer: those of a stream would stay in memory until the next collection. */
async function appendPart(file: FileHandle, part: ReportPart, reportsDir: string): Promise<void> {
  await using source = await open(join(reportsDir, part.partOf), 'r');
  const end = (await source.stat()).size - part.skipEnd;
  const buffer = Buffer.alloc(Math.max(0, Math.min(BUFFERED, end - part.skipStart)));
  for (let at = part.skipStart; at < end; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, end - at), at);
    if (bytesRead === 0) throw new Error(`${part.partOf} became shorter while it was read`);
    await file.appendFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
