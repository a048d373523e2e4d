/** The thread of read-ahead.ts: it finds and reads files, and judges nothing. Whatever is unusual is left to the asker. */

import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { holdsOneFolder } from './holds-one-folder.ts';
import type { ReadAhead, Slot } from './read-ahead.ts';

parentPort?.on('message', ({ folders, slot }: ReadAhead) => {
  let start = 0;
  for (const [place, folder] of folders.entries()) {
    const length = readRecord(folder, slot, start);
    slot.lengths[place] = length;
    start += Math.max(0, length);
  }
  parentPort?.postMessage(null);
});

/** Bytes read; -1 when the trial has not exactly one attempt with a record, when it does not fit, or cannot be read. */
function readRecord(folder: string, { bytes }: Slot, start: number): number {
  try {
    return holdsOneFolder(folder) ? readInto(`${folder}/1/attempt.json`, bytes, start) : -1;
  } catch {
    // The asker meets the same error, and tells it with the file's name.
    return -1;
  }
}

function readInto(path: string, bytes: Uint8Array, start: number): number {
  const file = openSync(path, 'r');
  try {
    let end = start;
    while (end < bytes.length) {
      const count = readSync(file, bytes, end, bytes.length - end, null);
      if (count === 0) return end - start;
      end += count;
    }
    return -1;
  } finally {
    closeSync(file);
  }
}
