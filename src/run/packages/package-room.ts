import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDead, type LockOwner, thisProcess } from '../../base/lock-file.ts';
import type { PackagePlace } from './package-file.ts';

/** `<key>.<what>`; a mark of use has a number of its own before its ending. */
const FILE = /^([0-9a-f]+)\.(json|tar|new|[0-9a-f-]+\.used)$/;

/** What a folder holds under one key, whole or not. */
interface Kept {
  readonly paths: readonly string[];
  readonly bytes: number;
  /** When it was last asked for, in milliseconds of the epoch. */
  readonly usedAt: number;
  readonly isUsed: boolean;
}

/**
 * Says that this process needs what is kept under a key, or will be, for as long as it lives: until then {@link makeRoom} leaves it alone. Only with the
 * folder's lock.
 */
export async function usePackages({ dir, key }: PackagePlace): Promise<void> {
  const name = key.replace(/^sha256:/, '');
  const path = join(dir, name);
  const now = new Date();
  await mkdir(dir, { recursive: true });
  for (const other of await readdir(dir)) {
    const mark = join(dir, other);
    if (FILE.exec(other)?.[1] === name && isMark(mark) && !(await isLiving(mark))) await rm(mark);
  }
  await writeFile(`${path}.${randomUUID()}.used`, JSON.stringify(thisProcess()));
  await utimes(`${path}.json`, now, now).catch(() => undefined);
}

/**
 * Removes what no living process needs until no more than `maxBytes` are kept, what was asked for longest ago first; what was never finished always.
 * Only with the folder's lock. Returns how many keys went.
 */
export async function makeRoom(dir: string, maxBytes: number): Promise<number> {
  const kept = await keptIn(dir);
  const byUse = kept.filter(({ isUsed }) => !isUsed).toSorted((a, b) => a.usedAt - b.usedAt);
  let bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  let gone = 0;
  for (const one of byUse) {
    if (bytes <= maxBytes && one.usedAt > 0) continue;
    for (const path of one.paths) await rm(path, { force: true });
    bytes -= one.bytes;
    gone += 1;
  }
  return gone;
}

async function keptIn(dir: string): Promise<Kept[]> {
  const byKey = Map.groupBy(await readdir(dir), (name) => FILE.exec(name)?.[1]);
  byKey.delete(undefined);
  return await Promise.all([...byKey.values()].map((names) => look(names.map((name) => join(dir, name)))));
}

async function look(paths: readonly string[]): Promise<Kept> {
  const manifest = paths.find((path) => path.endsWith('.json'));
  const marks = paths.filter(isMark);
  const living = await Promise.all(marks.map(isLiving));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return {
    // What is known of it goes first: what is left without is nothing.
    paths: paths.toSorted((a, b) => Number(b === manifest) - Number(a === manifest)),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    usedAt: manifest === undefined ? 0 : (await stat(manifest)).mtimeMs,
    isUsed: living.includes(true),
  };
}

function isMark(path: string): boolean {
  return path.endsWith('.used');
}

/** A mark that a crash of the machine left unreadable is nobody's. */
async function isLiving(mark: string): Promise<boolean> {
  try {
    return !isDead(JSON.parse(await readFile(mark, 'utf8')) as LockOwner);
  } catch {
    return false;
  }
}
