import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
    if (await tryCreate(path)) return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    const content = await readIfThere(path);
    if (content === undefined) continue;
    const owner = parseOwner(content);
    if (!isDead(owner)) throw new LockedError(path, owner);
    await removeLock(path, content);
  }
}

let sidePaths = 0;
const sidePath = (path: string) => `${path}.${process.pid}.${sidePaths++}`;

/** A link appears with its content or not at all: nobody can read a lock before its owner is in it. */
async function tryCreate(path: string): Promise<boolean> {
  const own = sidePath(path);
  await writeFile(own, JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockOwner));
  try {
    return await unless('EEXIST', link(own, path));
  } finally {
    await rm(own, { force: true });
  }
}

/** Removes a dead owner's lock. One that somebody else has taken over in between is put back. */
async function removeLock(path: string, content: string): Promise<void> {
  const aside = sidePath(path);
  if (!(await unless('ENOENT', rename(path, aside)))) return;
  if ((await readFile(aside, 'utf8')) !== content) await unless('EEXIST', link(aside, path));
  await rm(aside, { force: true });
}

/** False when the call fails with this code. */
async function unless(code: string, call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return false;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** What is not a lock of ours counts as left by a dead process. */
function parseOwner(content: string): LockOwner {
  try {
    return JSON.parse(content) as LockOwner;
  } catch {
    return { pid: 2 ** 30, host: hostname() };
  }
}
