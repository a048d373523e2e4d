import { on } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Trial } from '../model/trial.ts';
import { trialDir } from './layout.ts';

/** Trials in one request to the thread. */
const BATCH = 100;
/** Requests that may be open: the thread reads some while the records of others are looked at. */
const SLOTS = 4;
const SLOT_BYTES = 1024 * 1024;
/** A request: read what these folders of trials hold, into this slot. The thread answers each, in order, when it is done. */
export interface ReadAhead {
  readonly folders: readonly string[];
  readonly slot: Slot;
}

/** Shared memory for one request. */
export interface Slot {
  /** The files, one after the other. */
  readonly bytes: Uint8Array;
  /** How long each is; -1 where whoever asked has to look for himself. */
  readonly lengths: Int32Array;
}

/**
 * The text of `attempt.json` for each trial that has one attempt, batch by batch in the order of the trials. It is read by a thread of
 * its own, some batches ahead and never more than the slots hold, so that opening files and checking records go on side by side.
 * `undefined` says nothing of a trial: its folder must be looked at, as all are when there are fewer than `from`. Nothing is judged here.
 */
export async function* textsAhead(
  runDir: string,
  trials: readonly Trial[],
  from: number,
): AsyncIterable<readonly (string | undefined)[]> {
  const batches = Math.ceil(trials.length / BATCH);
  const batch = (number: number) => trials.slice(number * BATCH, (number + 1) * BATCH);
  if (trials.length < from) {
    for (let number = 0; number < batches; number++) {
      await setImmediate();
      yield batch(number).map(() => undefined);
    }
    return;
  }
  const worker = new Worker(new URL('./read-ahead-worker.ts', import.meta.url));
  try {
    const answers = on(worker, 'message')[Symbol.asyncIterator]();
    const slots = Array.from({ length: SLOTS }, makeSlot);
    const slotOf = (number: number) => slots[number % SLOTS] as Slot;
    const ask = (number: number) => {
      const folders = batch(number).map((trial) => trialDir(runDir, trial));
      if (folders.length > 0) worker.postMessage({ folders, slot: slotOf(number) } satisfies ReadAhead);
    };
    for (let number = 0; number < SLOTS; number++) ask(number);
    for (let number = 0; number < batches; number++) {
      await answers.next();
      const texts = textsIn(slotOf(number), batch(number).length);
      ask(number + SLOTS);
      yield texts;
    }
  } finally {
    await worker.terminate();
  }
}

function makeSlot(): Slot {
  return {
    bytes: new Uint8Array(new SharedArrayBuffer(SLOT_BYTES)),
    lengths: new Int32Array(new SharedArrayBuffer(BATCH * Int32Array.BYTES_PER_ELEMENT)),
  };
}

function textsIn({ bytes, lengths }: Slot, count: number): (string | undefined)[] {
  const buffer = Buffer.from(bytes.buffer, 0, bytes.byteLength);
  let start = 0;
  return Array.from(lengths.subarray(0, count), (length) => {
    if (length < 0) return undefined;
    start += length;
    return buffer.toString('utf8', start - length, start);
  });
}
