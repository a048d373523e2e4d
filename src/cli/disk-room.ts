import type { EngineInfo } from '../engine/engine.ts';
import { engineDisk, freeBytes } from './free-bytes.ts';

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
  const ofEngine = engineDisk(host);
  const disks = [
    ...(ofEngine === undefined ? [] : [{ path: ofEngine, holds: 'the container engine' }]),
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
