import { readdirSync } from 'node:fs';

/** What this process used at most since the watch began. */
export interface ProcessWatch extends Disposable {
  /** Resident set when the watch began. */
  readonly startBytes: number;
  peakBytes(): number;
  /** Buffers outside the heap, collected or not: what streams hold. */
  peakBufferBytes(): number;
  /** Open file descriptors, sockets among them; 0 where the system has no /proc. */
  peakFiles(): number;
}

/** Looks at this process every `everyMs`, until disposed. */
export function watchProcess(everyMs: number): ProcessWatch {
  const startBytes = process.memoryUsage.rss();
  let bytes = startBytes;
  let buffers = 0;
  let files = 0;
  const look = () => {
    bytes = Math.max(bytes, process.memoryUsage.rss());
    buffers = Math.max(buffers, process.memoryUsage().arrayBuffers);
    files = Math.max(files, openFiles());
  };
  const timer = setInterval(look, everyMs);
  return {
    startBytes,
    peakBytes: () => bytes,
    peakBufferBytes: () => buffers,
    peakFiles: () => files,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
