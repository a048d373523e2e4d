import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from '../engine/engine.ts';
import { extractTo } from '../engine/extract.ts';
import type { Notice } from '../model/attempt.ts';

/** What of a harness's own session files reaches the host: they are the agent's, so not to be trusted in size. */
const LIMITS = { maxBytes: 256 << 20, maxEntries: 5000 };

/**
 * Fetches a harness's session files out of a stopped container into `<dir>/<number>/`, one folder for each path, as evidence. Absent
 * paths are fine; links and what goes beyond the limits are left out and noted.
 */
export async function fetchSessionFiles(
  container: Container,
  from: {
    readonly paths: readonly string[];
    readonly dir: string;
    readonly notice: (notice: Notice) => void;
  },
  signal: AbortSignal,
): Promise<void> {
  for (const [index, path] of from.paths.entries()) {
    const tar = await container.get(path, signal);
    if (tar === undefined) continue;
    const dir = join(from.dir, String(index + 1));
    await mkdir(dir, { recursive: true });
    const { skipped } = await extractTo(tar, dir, LIMITS);
    if (skipped.length === 0) continue;
    const paths = skipped.slice(0, 100).map((one) => `${one.path} (${one.reason})`);
    from.notice({ code: 'session-left-out', detail: `parts of ${path} were not kept`, paths });
  }
}
