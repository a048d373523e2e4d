import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockedError, lockFile } from '../src/base/lock-file.ts';

const RETRY_MS = 300;

/** Takes a lock that holds for the whole machine, waiting for a living holder; says so once. Dispose releases it. */
export async function machineLock(name: string): Promise<AsyncDisposable> {
  const path = join(tmpdir(), `skillpair-${name.replaceAll(' ', '-')}.lock`);
  for (let told = false; ; ) {
    try {
      return await lockFile(path);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (!told)
        console.error(`setup: waiting for process ${error.owner.pid}, which prepares the ${name} too ...`);
      told = true;
      await delay(RETRY_MS);
    }
  }
}
