import { closeSync, fstatSync, fsync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { RunEvent } from '../model/event.ts';
import { DiskError } from './disk-error.ts';

const sync = promisify(fsync);

/** Appends to `events.jsonl`. */
export interface Journal {
  /**
   * One event, one write. When it returns, the line is with the operating system and outlives the process; the ends of trials and of the
   * run are also forced to the disk, in the background. Never throws: a disk that refuses is told once, through `onBroken`.
   */
  append(event: RunEvent): void;
  /** Resolves when all that was to be forced to the disk is there. Never rejects. */
  flush(): Promise<void>;
  /** Flushes and closes; later events are dropped. */
  close(): Promise<void>;
}

/** Opens a journal for appending; its last line must be whole (`mendJournal`). */
export function openJournal(path: string, onBroken: (error: DiskError) => void): Journal {
  const file = openSync(path, 'a');
  let end = fstatSync(file).size;
  let open = true;
  let told = false;
  let forcing = false;
  let syncing: Promise<void> = Promise.resolve();
  const broken = (error: unknown) => {
    open = false;
    if (!told) onBroken(new DiskError(path, { cause: error }));
    told = true;
  };
  const force = () => {
    // One at a time, and one that has yet to begin serves all that is written before: a burst of endings costs two.
    if (forcing) return;
    forcing = true;
    syncing = syncing
      .then(() => {
        forcing = false;
        return sync(file);
      })
      .catch(broken);
  };
  const append = (event: RunEvent) => {
    if (!open) return;
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    try {
      writeWhole(file, line);
      end += line.length;
    } catch (error) {
      cutBack(file, end);
      broken(error);
      return;
    }
    if (isEnd(event)) force();
  };
  const close = async () => {
    open = false;
    await syncing;
    closeSync(file);
  };
  return { append, flush: () => syncing, close };
}

function isEnd(event: RunEvent): boolean {
  return event.kind === 'trial-ended' || event.kind === 'run-ended';
}

function writeWhole(file: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}

/** Half a line must not stay, or a later one would be glued to it. Where even that fails, the next opening mends it. */
function cutBack(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
  } catch {
    // The disk is gone altogether; the first error is the one to tell.
  }
}
