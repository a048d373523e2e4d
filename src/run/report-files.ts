import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from '../engine/engine.ts';
import { extractTo } from '../engine/extract.ts';
import type { Notice } from '../model/attempt.ts';
import type { ReportFiles } from '../verifier/verifier.ts';

/** Container folder in which a verifier reports. */
const REPORT_FOLDER = '/logs/verifier';
/** Largest part of one report file that is read for the verdict. */
const READ_LIMIT_BYTES = 8 << 20;
/** What of a report folder reaches the host; a verifier may run what an agent wrote. */
const LIMITS = { maxBytes: 512 << 20, maxEntries: 5000 };

/**
 * Fetches the report folder of a stopped verifier into `<dir>/verifier/` as evidence, and returns the head of each file.
 * Links and what goes beyond the limits are left out and noted.
 */
export async function fetchReportFiles(
  container: Container,
  to: { readonly dir: string; readonly notice: (notice: Notice) => void },
  signal: AbortSignal,
): Promise<ReportFiles> {
  const tar = await container.get(REPORT_FOLDER, signal);
  if (tar === undefined) return new Map();
  await mkdir(to.dir, { recursive: true });
  const { files, skipped } = await extractTo(tar, to.dir, LIMITS);
  if (skipped.length > 0) {
    const paths = skipped.slice(0, 100).map(({ path, reason }) => `${path} (${reason})`);
    to.notice({ code: 'report-left-out', detail: 'parts of the report folder were not kept', paths });
  }
  const heads = await Promise.all(
    files.map(async (path) => [withoutTop(path), await head(join(to.dir, path))] as const),
  );
  return new Map(heads);
}

/** The engine names entries from the folder itself on. */
function withoutTop(path: string): string {
  return path.slice(path.indexOf('/') + 1);
}

async function head(path: string): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, READ_LIMIT_BYTES)), {
    position: 0,
  });
  return { bytes: buffer.subarray(0, bytesRead), truncated: size > READ_LIMIT_BYTES };
}
