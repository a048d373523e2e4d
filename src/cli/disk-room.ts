import { statfs } from 'node:fs/promises';
import type { EngineInfo } from '../engine/engine.ts';

/** Below this no trial is started: an image layer, a snapshot and the evidence of a few trials must find room. */
const LOW_WATER_BYTES = 1 << 30;

/**
 * Which of the disks that a run writes to has too little room, in words; undefined where each has enough. That of an engine on another
 * machine is not known from here.
 */
export function diskRoom(
  host: Pick<EngineInfo, 'address' | 'rootDir'>,
  runDir: string,
  lowWaterBytes = LOW_WATER_BYTES,
): () => Promise<string | undefined> {
  const disks = [
    ...(host.address.startsWith('unix://') ? [{ path: host.rootDir, holds: 'the container engine' }] : []),
    { path: runDir, holds: 'the records of the run' },
  ];
  return async () => {
    for (const { path, holds } of disks) {
      const free = await freeBytes(path);
      if (free === undefined || free >= lowWaterBytes) continue;
      const mebibytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)} MiB`;
      return `the disk of ${holds} (${path}) has ${mebibytes(free)} left, less than ${mebibytes(lowWaterBytes)}`;
    }
    return undefined;
  };
}

/** For who is not root; undefined where the path is not on this machine. */
async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
