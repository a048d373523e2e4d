import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '..');

/** Path of a machine-local file (logs, settings) under `.skillpair/`, which is made and never in git. */
export async function stateFile(name: string): Promise<string> {
  const folder = join(ROOT, '.skillpair');
  await mkdir(folder, { recursive: true });
  return join(folder, name);
}
