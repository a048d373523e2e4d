import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { lifeText, type ProcessLife, parseLife, processLife } from './process-life.ts';

/** Who holds a lock: a process on a host. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Tells it from another process of that number; absent where the system cannot, and in what older versions wrote. */
  readonly life?: string | undefined;
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

/** This process as an owner: what a lock file holds, and what the labels of engine objects say. */
export function thisProcess(): LockOwner {
  const life = ownLife();
  return { pid: process.pid, host: hostname(), ...(life === undefined ? {} : { life: lifeText(life) }) };
}

/** True where the owner is this very process. */
export function isThisProcess(owner: LockOwner): boolean {
  const { pid, host, life } = thisProcess();
  return owner.pid === pid && owner.host === host && owner.life === life;
}

/**
 * True when the process can be shown to be gone. One on another host, on another machine of the same name, or in another container is
 * taken as alive; one whose number another process has by now, that waits to be reaped, or that was there before the system last started, is gone.
 */
export function isDead(owner: LockOwner): boolean {
  if (owner.host !== hostname()) return false;
  const [was, own] = [parseLife(owner.life ?? ''), ownLife()];
  if (was === undefined || own === undefined) return !isRunning(owner.pid);
  if (was.machine !== own.machine) return false;
  if (was.boot !== own.boot) return was.machine !== '';
  if (was.namespace !== own.namespace) return false;
  const now = processLife(owner.pid);
  if (now === undefined) return !isRunning(owner.pid);
  return now === 'ended' || now.start !== was.start;
}

function ownLife(): ProcessLife | undefined {
  const life = processLife('self');
  return life === 'ended' ? undefined : life;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Takes an exclusive lock file; a lock left by a dead process of this host is taken over.
 * Rejects with {@link LockedError} when it is held. Dispose releases it.
 */
export async function lockFile(path: string): Promise<AsyncDisposable> {
  const mine = `${path}.${process.pid}.${randomUUID()}`;
  await writeFile(mine, JSON.stringify(thisProcess()));
  try {
    while (!(await linked(mine, path))) {
      const owner = await readOwner(path);
      if (owner === undefined) continue;
      if (!isDead(owner)) throw new LockedError(path, owner);
      if (await takenOver(mine, path)) break;
    }
  } finally {
    await rm(mine, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** A link appears with its content whole, so nobody ever reads half a lock. False when the name is taken. */
async function linked(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces a dead owner's lock. Only who holds the lock beside it may, and only after looking again: else two processes that both saw
 * the owner dead could each remove the other's new lock.
 */
async function takenOver(mine: string, path: string): Promise<boolean> {
  await using _only = await lockFile(`${path}.takeover`);
  const owner = await readOwner(path);
  if (owner === undefined || !isDead(owner)) return false;
  await rename(mine, path);
  return true;
}

/**
 * Undefined when the lock was released meanwhile. Locks appear whole, so an unreadable one was damaged by a crash of the machine: its
 * owner counts as dead.
 */
async function readOwner(path: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockOwner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw error;
    return { pid: 2 ** 30, host: hostname() };
  }
}
