import { chmod, type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReadEntry, readTar } from './archive.ts';

/** How much of a tar may reach the host. */
export interface ExtractLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** An entry that was not written, and why. */
export interface SkippedEntry {
  readonly path: string;
  readonly reason:
    | 'link'
    | 'special file'
    | 'leaves the folder'
    | 'unusable name'
    | 'in the way'
    | 'over the size limit'
    | 'so large that nothing after it was read'
    | 'over the entry limit';
}

/** What {@link extractTo} wrote (paths relative to the folder, in the tar's order) and what it left out. */
export interface Extracted {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly skipped: readonly SkippedEntry[];
}

const PASSED_OVER = 8;

/**
 * Writes the files and folders of an untrusted tar below a host folder that exists and is ours alone. Never makes or
 * follows a link, never makes a device, never writes outside, never overwrites; owners and special mode bits are dropped. What
 * is left out is reported, the rest is still written, as long as passing over the former takes no more than `PASSED_OVER` times
 * what may be written: a file with holes may claim any size. Rejects at a damaged tar and at host errors.
 */
export async function extractTo(tar: Readable, hostDir: string, limits: ExtractLimits): Promise<Extracted> {
  const files: string[] = [];
  const skipped: SkippedEntry[] = [];
  let bytes = 0;
  let entries = 0;
  let sent = 0;
  for await (const entry of readTar(tar)) {
    entries += 1;
    sent += entry.size;
    if (sent > limits.maxBytes * PASSED_OVER) {
      skipped.push({ path: entry.path, reason: 'so large that nothing after it was read' });
      break;
    }
    const reason = excess({ entries, bytes: bytes + entry.size }, limits) ?? refusal(entry);
    const problem = reason ?? (await write(entry, hostDir));
    if (problem !== undefined) {
      skipped.push({ path: entry.path, reason: problem });
    } else if (entry.kind === 'file') {
      files.push(entry.path);
      bytes += entry.size;
    }
  }
  return { files, bytes, skipped };
}

function excess(
  sum: { readonly entries: number; readonly bytes: number },
  limits: ExtractLimits,
): SkippedEntry['reason'] | undefined {
  if (sum.entries > limits.maxEntries) return 'over the entry limit';
  return sum.bytes > limits.maxBytes ? 'over the size limit' : undefined;
}

function refusal(entry: ReadEntry): SkippedEntry['reason'] | undefined {
  if (entry.kind === 'link' || entry.kind === 'hard-link') return 'link';
  if (entry.kind === 'other') return 'special file';
  const parts = entry.path.split('/');
  if (entry.path.startsWith('/') || parts.includes('..')) return 'leaves the folder';
  return entry.path.includes('\0') || parts.some((part) => Buffer.byteLength(part) > 255)
    ? 'unusable name'
    : undefined;
}

async function write(entry: ReadEntry, hostDir: string): Promise<SkippedEntry['reason'] | undefined> {
  const parts = entry.path.split('/').filter((part) => part !== '' && part !== '.');
  const folders = entry.kind === 'folder' ? parts : parts.slice(0, -1);
  if (!(await makeFolders(hostDir, folders))) return 'in the way';
  if (entry.kind === 'folder') return undefined;
  return writeFile(entry, join(hostDir, ...parts));
}

/** One by one, looking before each step, so that nothing but a real folder is ever entered. */
async function makeFolders(hostDir: string, parts: readonly string[]): Promise<boolean> {
  let path = hostDir;
  for (const part of parts) {
    path = join(path, part);
    try {
      await mkdir(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!(await lstat(path)).isDirectory()) return false;
    }
  }
  return true;
}

/** Opened before the content is touched: a stream that fails half-way would take the rest of the tar with it. */
async function writeFile(entry: ReadEntry, path: string): Promise<SkippedEntry['reason'] | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'in the way';
    throw error;
  }
  await pipeline(entry.content, file.createWriteStream());
  await chmod(path, (entry.mode & 0o777) | 0o600);
  return undefined;
}
