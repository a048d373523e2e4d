import type { Writable } from 'node:stream';

/**
 * Keeps a command going when nobody takes its output any more: a run must reach its end, record it and remove its containers
 * whoever reads. A reader that closes early (`skillpair plan | head`) is no fault; anything else, such as a full disk, is told
 * to `onLost`, once.
 */
export function keepGoingWithoutReader(
  streams: readonly Writable[],
  onLost: (error: NodeJS.ErrnoException) => void,
): void {
  let told = false;
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (told || error.code === 'EPIPE') return;
      told = true;
      onLost(error);
    });
  }
}
