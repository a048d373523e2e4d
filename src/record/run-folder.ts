import { mkdir, readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import { LockedError, lockFile } from '../base/lock-file.ts';
import { COMMAND } from '../model/command.ts';
import { InputError } from '../model/problem.ts';
import { RunLock } from '../model/run-lock.ts';
import type { Trial } from '../model/trial.ts';
import { type AttemptFolder, beginAttempt } from './attempt-folder.ts';
import { sweepAttempts } from './attempt-folders.ts';
import { type DiskError, onDisk } from './disk-error.ts';
import { type Journal, openJournal } from './journal.ts';
import { runLayout } from './layout.ts';
import { mendJournal } from './mend-journal.ts';
import { readLock } from './read-lock.ts';
import { sealed } from './seal.ts';

/** A run folder that this process owns. Disposing closes the journal and gives the folder free. */
export interface RunFolder extends AsyncDisposable {
  /** Absolute. */
  readonly dir: string;
  readonly lock: RunLock;
  readonly journal: Pick<Journal, 'append' | 'flush'>;
  /** What was put right on opening (a torn line, attempts of a killed runner); belongs in the journal. */
  readonly notices: readonly string[];
  /** Attempt numbers start at 1 and are used once: see `TrialToRun.attempt`. */
  beginAttempt(trial: Trial, attempt: number): Promise<AttemptFolder>;
}

/** How a run folder is opened. */
export interface RunFolderOptions {
  readonly dir: string;
  /** Called once when the journal cannot be written any more: the run must stop. */
  readonly onBroken: (error: DiskError) => void;
}

/**
 * Makes a run folder and writes `run.json`, once. Rejects with InputError when a run is there already, when anything else is, or when another
 * runner owns it, and with DiskError when the disk refuses. A folder whose runner was killed before `run.json` was whole holds nothing and is used again.
 */
export async function createRun(options: RunFolderOptions & { readonly lock: RunLock }): Promise<RunFolder> {
  const dir = resolve(options.dir);
  const layout = runLayout(dir);
  await onDisk(dir, () => mkdir(dir, { recursive: true }));
  await using owned = new AsyncDisposableStack();
  owned.use(await own(dir));
  await refuseOccupied(dir);
  const lock = RunLock.parse(options.lock);
  await onDisk(layout.runFile, () => atomicWrite(layout.runFile, sealed(lock)));
  return opened({ dir, lock, notices: [], onBroken: options.onBroken }, owned.move());
}

/**
 * Takes over the folder of a run that has ended, however it ended, and puts right what a killed runner left. Rejects with InputError
 * when there is no run, its lock is damaged, or another runner owns it.
 */
export async function openRun(options: RunFolderOptions): Promise<RunFolder> {
  const dir = resolve(options.dir);
  const lock = await readLock(dir);
  await using owned = new AsyncDisposableStack();
  owned.use(await own(dir));
  const torn = await mendJournal(runLayout(dir).eventsFile);
  const partial = await sweepAttempts(dir, lock.plan.trials);
  const notices = [
    ...(torn > 0 ? [`events.jsonl ended in a torn line of ${torn} bytes, which was dropped`] : []),
    ...(partial > 0 ? [`attempts that a killed runner left without a record were removed: ${partial}`] : []),
  ];
  return opened({ dir, lock, notices, onBroken: options.onBroken }, owned.move());
}

function opened(
  { dir, lock, notices, onBroken }: RunFolderOptions & Pick<RunFolder, 'lock' | 'notices'>,
  owned: AsyncDisposableStack,
): RunFolder {
  const journal = owned.adopt(openJournal(runLayout(dir).eventsFile, onBroken), (open) => open.close());
  return {
    dir,
    lock,
    notices,
    journal,
    beginAttempt: (trial, attempt) => beginAttempt({ runDir: dir, run: lock.run, trial, attempt }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function own(dir: string): Promise<AsyncDisposable> {
  const file = runLayout(dir).ownerFile;
  const held = await lockFile(file).catch((error: unknown) => {
    if (error instanceof LockedError) return error;
    throw error;
  });
  if (!(held instanceof LockedError)) return held;
  const { pid, host } = held.owner;
  throw new InputError([
    {
      severity: 'error',
      message: `run ${basename(dir)} is in the hands of process ${pid} on ${host}`,
      where: { file },
      repair: `wait for that process or end it; if it is gone for certain, delete ${file}`,
    },
  ]);
}

async function namesIn(dir: string): Promise<string[]> {
  return await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw notAFolder(dir);
    throw error;
  });
}

function notAFolder(dir: string): InputError {
  const message = `${dir} cannot be a run's folder: it or something above it is a file`;
  return new InputError([
    { severity: 'error', message, where: { file: dir }, repair: 'name another folder for runs (--runs)' },
  ]);
}

/** Rejects with InputError when a folder holds a run, or anything else that is not ours; a folder that is not there is free. */
export async function refuseOccupied(dir: string): Promise<void> {
  const layout = runLayout(dir);
  const entries = (await namesIn(dir)).map((name) => `${dir}/${name}`);
  const isOurs = (path: string) => path.startsWith(layout.ownerFile) || path.startsWith(`${layout.runFile}.`);
  const foreign = entries.filter((path) => !isOurs(path));
  if (foreign.length === 0) return;
  const isRun = foreign.includes(layout.runFile);
  const isImport = foreign.includes(layout.importFile);
  throw new InputError([
    {
      severity: 'error',
      message:
        isRun || isImport
          ? `run ${basename(dir)} exists already${isImport ? ': its results were imported' : ''}`
          : `${dir} is not empty and holds no run`,
      where: { file: dir },
      repair: isRun
        ? `resume it (${COMMAND} resume ${basename(dir)}) or name another run`
        : 'name another run',
    },
  ]);
}
