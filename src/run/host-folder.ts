import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TarEntry } from '../engine/archive.ts';

/**
 * A host folder of ours (tests, a solution) as root-owned tar entries below `target` (relative to `/`), sorted by path.
 * Links are followed: authors link shared fixtures, and the container must get bytes.
 */
export async function hostFolder(dir: string, target: string): Promise<TarEntry[]> {
  const entries: TarEntry[] = [{ path: target, kind: 'folder', mode: 0o755, uid: 0, gid: 0 }];
  for (const name of (await readdir(dir)).sort()) {
    const hostPath = join(dir, name);
    const path = `${target}/${name}`;
    const found = await stat(hostPath);
    if (found.isDirectory()) entries.push(...(await hostFolder(hostPath, path)));
    else if (found.isFile()) entries.push(fileEntry(path, hostPath, found));
  }
  return entries;
}

function fileEntry(path: string, hostPath: string, found: { mode: number; size: number }): TarEntry {
  const mode = (found.mode & 0o100) === 0 ? 0o644 : 0o755;
  return { path, kind: 'file', mode, uid: 0, gid: 0, content: { hostPath, size: found.size } };
}
