import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import type { ReportFile, ReportPart } from './report-file.ts';

/** Characters held before they are handed to the file system. */
const BUFFERED = 256 * 1024;

/**
 * Writes reports into a folder, which is made where it is missing; each file whole or not at all, one after the other: while one is
 * forced to the disk and gets its name, the next is made. Files of an earlier writing that are not among these stay. Resolves with the
 * paths written, in order; rejects with the file system's error. One writer at a time per folder.
 */
export async function writeReports(reportsDir: string, files: readonly ReportFile[]): Promise<string[]> {
  const paths: string[] = [];
  let landing: Promise<void> = Promise.resolve();
  try {
    for (const { path, content } of files) {
      const target = join(reportsDir, path);
      paths.push(target);
      await mkdir(dirname(target), { recursive: true });
      if (typeof content === 'string') await atomicWrite(target, content);
      else {
        const temporary = `${target}.tmp`;
        await writePieces(temporary, content, { reportsDir, earlier: landing });
        landing = landing.then(
          () => land(temporary, target),
          (cause: unknown) => abandon(temporary, cause),
        );
        // It is waited for at the end; a fault met before then is not a forgotten one.
        landing.catch(() => undefined);
      }
    }
  } finally {
    await landing;
  }
  return paths;
}

/** What parts of other reports need: where those are, and when the last of them is there. */
interface PartSource {
  readonly reportsDir: string;
  readonly earlier: Promise<void>;
}

async function writePieces(
  temporary: string,
  pieces: AsyncIterable<string | ReportPart>,
  { reportsDir, earlier }: PartSource,
): Promise<void> {
  try {
    await using file = await open(temporary, 'w');
    let buffer = '';
    for await (const piece of pieces) {
      if (typeof piece === 'string') buffer += piece;
      if (typeof piece === 'string' && buffer.length < BUFFERED) continue;
      await file.appendFile(buffer);
      buffer = '';
      if (typeof piece === 'string') continue;
      await earlier;
      await appendPart(file, piece, reportsDir);
    }
    await file.appendFile(buffer);
  } catch (error) {
    await abandon(temporary, error);
  }
}

/** Forces what was written to the disk, and gives it its name. */
async function land(temporary: string, path: string): Promise<void> {
  try {
    await using file = await open(temporary, 'r+');
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await abandon(temporary, error);
  }
}

async function abandon(temporary: string, cause: unknown): Promise<never> {
  await rm(temporary, { force: true });
  throw cause;
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
