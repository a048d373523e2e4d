import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import { AttemptRecord } from '../model/attempt.ts';
import type { Trial } from '../model/trial.ts';
import { onDisk } from './disk-error.ts';
import { attemptLayout } from './layout.ts';
import { sealed } from './seal.ts';

/** The folder of an attempt that is under way. It counts for nothing until `commit` resolves. */
export interface AttemptFolder {
  /** Absolute. Evidence is written here, in place; `agent/` and `verifier/` are there already. */
  readonly dir: string;
  /** Writes `attempt.json` whole or not at all. Rejects with DiskError, or when the record is not one of this attempt. */
  commit(record: AttemptRecord): Promise<void>;
  /** Removes the folder, as if the attempt had never begun. */
  discard(): Promise<void>;
}

/** Which attempt of which run. */
export interface AttemptKey {
  readonly runDir: string;
  readonly run: string;
  readonly trial: Trial;
  /** From 1. */
  readonly attempt: number;
}

/**
 * Makes the folder of an attempt. Rejects when that number has begun already, recorded or not: numbers are used once. (What a killed
 * runner left without a record was removed when the run was opened.)
 */
export async function beginAttempt(key: AttemptKey): Promise<AttemptFolder> {
  const layout = attemptLayout(key.runDir, key.trial, key.attempt);
  const name = `attempt ${key.attempt} of ${key.trial.id}`;
  await onDisk(layout.dir, () => mkdir(dirname(layout.dir), { recursive: true }));
  if (!(await onDisk(layout.dir, () => makeNew(layout.dir)))) throw new Error(`${name} has begun already`);
  await onDisk(layout.dir, () => Promise.all([mkdir(layout.agentDir), mkdir(layout.verifierDir)]));
  let open = true;
  return {
    dir: layout.dir,
    commit: async (record) => {
      if (!open) throw new Error(`${name} is closed`);
      const content = serialized(record, key, name);
      open = false;
      await onDisk(layout.recordFile, () => atomicWrite(layout.recordFile, content));
    },
    discard: async () => {
      if (!open) return;
      open = false;
      await onDisk(layout.dir, () => rm(layout.dir, { recursive: true, force: true }));
    },
  };
}

/** Checked on the way out, so that whatever is on disk can be read back. */
function serialized(record: AttemptRecord, key: AttemptKey, name: string): string {
  const valid = AttemptRecord.parse(record);
  if (valid.run !== key.run || valid.trial.id !== key.trial.id || valid.attempt !== key.attempt)
    throw new Error(
      `${name} was given the record of attempt ${valid.attempt} of ${valid.trial.id} (run ${valid.run})`,
    );
  return sealed(valid);
}

/** False when the folder is there already. */
async function makeNew(dir: string): Promise<boolean> {
  try {
    await mkdir(dir);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
