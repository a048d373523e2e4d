import { posix } from 'node:path';
import { packTar, type ReadEntry, readTar, type TarEntry } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';
import type { Notice } from '../model/attempt.ts';
import { kindAt } from './kind-at.ts';
import type { Restoration } from './restoration.ts';

interface Restoring {
  readonly plan: Restoration;
  readonly pristine: Container;
  readonly snapshot: Container;
  readonly signal: AbortSignal;
}

/**
 * Puts a snapshot container right before its first start, without running anything in it: pristine bytes come out of a
 * container made from the task image, and what was planted is overwritten by nothing.
 * Returns what was done, for the record.
 */
export async function restore(input: Restoring): Promise<Notice[]> {
  const { plan, snapshot, signal } = input;
  const toRestore = await needingRestoration(input);
  if (toRestore.length + plan.neutralise.length > 0)
    await snapshot.put(packTar(entriesOf(input, toRestore)), '/', signal);
  return [
    ...noticeOf(
      'restored',
      'the agent had changed these files of the image; the verifier saw the image’s own',
      toRestore,
    ),
    ...noticeOf(
      'neutralised',
      'the agent had added these start-up files or programs; the verifier saw them empty',
      plan.neutralise,
    ),
    ...noticeOf('emptied', 'the agent had written into folders of the verifier', plan.empty),
  ];
}

/** All but folders that still are folders: what else changed in them stands in the plan by itself. */
async function needingRestoration({ plan, pristine, snapshot, signal }: Restoring): Promise<string[]> {
  const needing: string[] = [];
  for (const path of plan.restore) {
    const isFolder = async (container: Container) => (await kindAt(container, path, signal)) === 'folder';
    if (!((await isFolder(pristine)) && (await isFolder(snapshot)))) needing.push(path);
  }
  return needing;
}

async function* entriesOf(
  { plan, pristine, signal }: Restoring,
  toRestore: readonly string[],
): AsyncGenerator<TarEntry> {
  yield* plan.neutralise.map(emptied);
  for (const path of toRestore) {
    const tar = await pristine.get(path, signal);
    if (tar === undefined) continue;
    for await (const entry of readTar(tar)) yield* copied(entry, posix.dirname(path));
  }
}

/** A file cannot be deleted from a container that does not run; an empty one, or a folder where an ini file would stand, is as good. */
function emptied(path: string): TarEntry {
  const shared = { path: path.slice(1), uid: 0, gid: 0 };
  const isIni = /\.(ini|toml|cfg)$|\/setup\.py$/.test(path);
  return isIni
    ? { ...shared, kind: 'folder', mode: 0o755 }
    : { ...shared, kind: 'file', mode: 0o644, content: new Uint8Array() };
}

/** An entry of a tar whose names start in `parent`, as it was. */
function copied(entry: ReadEntry, parent: string): TarEntry[] {
  const { kind, mode, uid, gid, target = '' } = entry;
  const inRoot = (path: string) => posix.join(parent, path).slice(1);
  const shared = { path: inRoot(entry.path), mode, uid, gid };
  if (kind === 'folder') return [{ ...shared, kind }];
  if (kind === 'link') return [{ ...shared, kind, target }];
  if (kind === 'hard-link') return [{ ...shared, kind, target: inRoot(target) }];
  if (kind === 'other') return [];
  return [{ ...shared, kind, content: { stream: entry.content, size: entry.size } }];
}

function noticeOf(code: string, detail: string, paths: readonly string[]): Notice[] {
  return paths.length === 0 ? [] : [{ code, detail, paths: [...paths] }];
}
