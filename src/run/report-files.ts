import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readTar } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';
import type { ReportFiles } from '../verifier/verifier.ts';

/** Container folder in which a verifier reports. */
export const REPORT_FOLDER = '/logs/verifier';
/** Largest part of one report file that is read for the verdict. */
const READ_LIMIT_BYTES = 8 << 20;
/** Most files kept; the rest is counted by the caller's listing of evidence. */
const FILE_LIMIT = 2000;

/**
 * Fetches the report folder of a stopped verifier: every regular file is kept under `dir`, and its head is returned.
 * Links are not followed and names that would leave `dir` are ignored.
 */
export async function fetchReportFiles(
  container: Container,
  dir: string,
  signal: AbortSignal,
): Promise<ReportFiles> {
  const files = new Map<string, { bytes: Uint8Array; truncated: boolean }>();
  const tar = await container.get(REPORT_FOLDER, signal);
  if (tar === undefined) return files;
  for await (const entry of readTar(tar)) {
    const path = entry.path.split('/').slice(1).join('/');
    if (entry.kind !== 'file' || files.size >= FILE_LIMIT || !isInside(path)) continue;
    files.set(path, await keep(entry.content, join(dir, path)));
  }
  return files;
}

function isInside(path: string): boolean {
  return path !== '' && !path.split('/').some((part) => part === '..' || part === '');
}

/** Writes a content to a file and returns its head. Rejects when the disk does. */
async function keep(content: Readable, path: string): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  await mkdir(dirname(path), { recursive: true });
  const head: Uint8Array[] = [];
  let size = 0;
  const watched = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      if (size < READ_LIMIT_BYTES) head.push(chunk.subarray(0, READ_LIMIT_BYTES - size));
      size += chunk.byteLength;
      yield chunk;
    }
  };
  await pipeline(content, watched, createWriteStream(path));
  return { bytes: Buffer.concat(head), truncated: size > READ_LIMIT_BYTES };
}
