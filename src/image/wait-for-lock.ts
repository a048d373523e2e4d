import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockedError, lockFile } from '../base/lock-file.ts';

const POLL_MS = 200;

/**
 * Takes a lock file, waiting as long as another living process holds it. Rejects with the signal's reason when that
 * fires first. Disposing releases it.
 */
export async function waitForLock(path: string, signal: AbortSignal): Promise<AsyncDisposable> {
  await mkdir(dirname(path), { recursive: true });
  for (;;) {
    signal.throwIfAborted();
    try {
      return await lockFile(path);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
    }
    await delay(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
