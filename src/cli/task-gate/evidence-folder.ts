import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LockedError, lockFile } from '../../base/lock-file.ts';
import type { RunId } from '../../model/ids.ts';
import { InputError } from '../../model/problem.ts';

/** Checks whose evidence stays: a person looks at the last, and seldom at the one before. */
export const MOST_KEPT = 5;
/** There while a check is at work in its folder. */
const OWNER = 'owner.lock';

/** A check's own folder of evidence; disposing ends the ownership and leaves what is in it. */
export interface EvidenceFolder extends AsyncDisposable {
  readonly dir: string;
}

/**
 * Makes the folder of a check below the project's `.skillpair`, which git does not see, and removes those of the oldest checks, so that
 * {@link MOST_KEPT} are left. Rejects with InputError where nothing can be written there.
 */
export async function openEvidence(cwd: string, run: RunId): Promise<EvidenceFolder> {
  const root = evidenceRoot(cwd);
  const dir = join(root, run);
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(join(root, '.gitignore'), '*\n');
  } catch (error) {
    throw unwritable(root, error);
  }
  const lock = await lockFile(join(dir, OWNER));
  const kept = await keptEvidence(cwd);
  await removeEvidence(kept.slice(0, Math.max(0, kept.length + 1 - MOST_KEPT)));
  return { dir, [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose]() };
}

/** The folders of checks that have ended, the oldest first. */
export async function keptEvidence(cwd: string): Promise<readonly string[]> {
  const root = evidenceRoot(cwd);
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const dirs = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
  const isFree = await Promise.all(dirs.map(isUnowned));
  return dirs.filter((_, at) => isFree[at]).toSorted();
}

/** Removes folders of checks with all that is in them. */
export async function removeEvidence(dirs: readonly string[]): Promise<void> {
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
}

function evidenceRoot(cwd: string): string {
  return join(cwd, '.skillpair', 'task-check');
}

async function isUnowned(dir: string): Promise<boolean> {
  try {
    await using _lock = await lockFile(join(dir, OWNER));
    return true;
  } catch (error) {
    if (error instanceof LockedError) return false;
    throw error;
  }
}

function unwritable(dir: string, cause: unknown): InputError {
  const message = `the evidence of a check cannot be kept here (${(cause as Error).message})`;
  const repair = 'start it from a folder that you may write to';
  return new InputError([{ severity: 'error', message, where: { file: dir }, repair }], { cause });
}
