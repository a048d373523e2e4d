import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Who holds a lock: a process on a host. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
}

/** Thrown when a living process (or one on another host) holds the lock. */
export class LockedError extends Error {
  readonly owner: LockOwner;
  constructor(path: string, owner: LockOwner) {
    super(`${path} is held by process ${owner.pid} on ${owner.host}`);
    this.name = 'LockedError';
    this.owner = owner;
  }
}

/** True when the process can be shown to be gone: same host and no such pid. Another host's is taken as alive. */
export function isDead(owner: LockOwner): boolean {
  if (owner.host !== hostname()) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Takes an exclusive lock file; a lock left by a dead process of this host is taken over.
 * Rejects with {@link LockedError} when it is held. Dispose releases it.
 */
export async function lockFile(path: string): Promise<AsyncDisposable> {
  for (;;) {
    const owner = await tryCreate(path);
    if (owner === undefined) return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    if (!isDead(owner)) throw new LockedError(path, owner);
    await rm(path, { force: true });
  }
}

async function tryCreate(path: string): Promise<LockOwner | undefined> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockOwner));
    await file.close();
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readOwner(path);
  }
}

/** An unreadable lock was cut short by a crash between create and write: its owner counts as dead. */
async function readOwner(path: string): Promise<LockOwner> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockOwner;
  } catch {
    return { pid: 2 ** 30, host: hostname() };
  }
}
