import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { packTar, type ReadEntry, readTar, type TarEntry } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';
import type { Notice } from '../model/attempt.ts';
import type { Restoration } from './restoration.ts';

/**
 * Puts a snapshot container right before its first start, without running anything in it: pristine bytes come out of a
 * container made from the task image, and what was planted is overwritten by nothing.
 * Returns what was done, for the record.
 */
export async function restore(input: {
  readonly plan: Restoration;
  readonly pristine: Container;
  readonly snapshot: Container;
  readonly signal: AbortSignal;
}): Promise<Notice[]> {
  const { plan, pristine, snapshot, signal } = input;
  const entries: TarEntry[] = plan.neutralise.map(emptied);
  for (const path of plan.restore) entries.push(...(await pristineEntries(pristine, path, signal)));
  if (entries.length > 0) await snapshot.put(packTar(entries), '/', signal);
  return [
    ...noticeOf(
      'restored',
      'the agent had changed these files of the image; the verifier saw the image’s own',
      plan.restore,
    ),
    ...noticeOf(
      'neutralised',
      'the agent had added these start-up files or programs; the verifier saw them empty',
      plan.neutralise,
    ),
    ...noticeOf('emptied', 'the agent had written into folders of the verifier', plan.empty),
  ];
}

/** A file cannot be deleted from a container that does not run; an empty one, or a folder where an ini file would stand, is as good. */
function emptied(path: string): TarEntry {
  const shared = { path: path.slice(1), uid: 0, gid: 0 };
  const isIni = /\.(ini|toml|cfg)$|\/setup\.py$/.test(path);
  return isIni
    ? { ...shared, kind: 'folder', mode: 0o755 }
    : { ...shared, kind: 'file', mode: 0o644, content: new Uint8Array() };
}

async function pristineEntries(pristine: Container, path: string, signal: AbortSignal): Promise<TarEntry[]> {
  const tar = await pristine.get(path, signal);
  if (tar === undefined) return [];
  const entries: TarEntry[] = [];
  for await (const entry of readTar(tar)) entries.push(...(await copied(entry, path)));
  return entries;
}

/** Changed folders are listed by the engine along with the files in them; only the files are put back. */
async function copied(entry: ReadEntry, root: string): Promise<TarEntry[]> {
  if (entry.kind !== 'file' && entry.kind !== 'link') return [];
  if (posix.join(posix.dirname(root), entry.path) !== root) return [];
  const shared = { path: root.slice(1), mode: entry.mode, uid: entry.uid, gid: entry.gid };
  if (entry.kind === 'link') return [{ ...shared, kind: 'link', target: entry.target ?? '' }];
  return [{ ...shared, kind: 'file', content: new Uint8Array(await buffer(entry.content)) }];
}

function noticeOf(code: string, detail: string, paths: readonly string[]): Notice[] {
  return paths.length === 0 ? [] : [{ code, detail, paths: [...paths] }];
}
