import type { TarEntry } from '../engine/archive.ts';
import { hostFolder } from './host-folder.ts';

/**
 * Tests and empty report folders. A folder to be emptied comes first as a plain file: the engine then removes the folder
 * with all that is in it, and the folder entry after it makes it anew.
 */
export async function verifierFiles(testsDir: string, emptyFirst: readonly string[]): Promise<TarEntry[]> {
  const root = { uid: 0, gid: 0 };
  const wiped = emptyFirst.map(
    (path): TarEntry => ({
      path: path.slice(1),
      kind: 'file',
      mode: 0o600,
      ...root,
      content: new Uint8Array(),
    }),
  );
  const logs = ['logs', 'logs/verifier', 'logs/agent', 'logs/artifacts'];
  return [
    ...wiped,
    ...logs.map((path): TarEntry => ({ path, kind: 'folder', mode: 0o755, ...root })),
    ...(await hostFolder(testsDir, 'tests')),
  ];
}
