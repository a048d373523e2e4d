import { statfs } from 'node:fs/promises';
import type { EngineInfo } from '../engine/engine.ts';

/** Bytes that are free, for who is not root, on the disk of a path; undefined where the path is not on this machine. */
export async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Where an engine on this machine keeps images and containers; undefined for one elsewhere. */
export function engineDisk({
  address,
  rootDir,
}: Pick<EngineInfo, 'address' | 'rootDir'>): string | undefined {
  return address.startsWith('unix://') ? rootDir : undefined;
}
