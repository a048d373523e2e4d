import { type Container, EngineError } from '../engine/engine.ts';
import type { FreeSpace } from './storage-watch.ts';

/** With less than this, a program of some size cannot write what it has to. */
const SCARCE_BYTES = 256 * 2 ** 20;

/** A container that is to work on the engine's disk, and how that is seen. */
export interface OnDisk {
  readonly container: Pick<Container, 'writtenBytes'>;
  /** Volumes of its image: what is in them cannot be measured. */
  readonly volumes: readonly string[];
  readonly freeSpace: FreeSpace;
  readonly signal: AbortSignal;
}

/**
 * Lets a container work while the engine's disk has room. What it did on a disk that others have filled counts for nothing, be it good or bad:
 * the result is an EngineError `no-space` instead. Looked at is the time after its end, when the disk has back all that it held open, and what
 * it has written is taken off: it could else void its own trial by filling the disk for a while. A disk that cannot be seen from here has room.
 */
export async function onRoomyDisk<T>(on: OnDisk, work: () => Promise<T>): Promise<T> {
  const before = await on.freeSpace();
  if (before !== undefined && before < SCARCE_BYTES) throw scarce(before);
  const result = await work();
  const after = await on.freeSpace();
  if (after !== undefined && after < SCARCE_BYTES && (await isOthersDoing(on, after))) throw scarce(after);
  return result;
}

/** What cannot be measured may be the container's own doing. */
async function isOthersDoing({ container, volumes, signal }: OnDisk, free: number): Promise<boolean> {
  const written = volumes.length === 0 ? await container.writtenBytes(signal) : undefined;
  return written !== undefined && free + written < SCARCE_BYTES;
}

function scarce(bytes: number): EngineError {
  const detail = `the disk of the container engine has ${Math.floor(bytes / 2 ** 20)} MiB left, too little to work with`;
  return new EngineError('look for room on the disk', 'no-space', detail);
}
