import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of the files below a folder whose names match, sorted; none when there is no such folder. */
export async function sessionFiles(dir: string, name: RegExp): Promise<string[]> {
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && name.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
