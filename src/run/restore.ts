import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { packTar, type ReadEntry, readTar, type TarEntry } from '../engine/archive.ts';
import type { Container } from '../engine/engine.ts';
import type { Notice } from '../model/attempt.ts';
import type { Restoration } from './restoration.ts';

/** Above this many files the whole image is read once: a call for each would take longer. */
const SINGLE_FILES = 16;
/** Most paths that a notice names. */
const NAMED_PATHS = 100;
const ROOT = { uid: 0, gid: 0 };

/**
 * Puts a snapshot container right before its first start, without running anything in it: the image's own bytes come out
 * of a container made from the task image, and what was planted is taken away. Returns what was done, for the record.
 */
export async function restore(input: {
  readonly plan: Restoration;
  /** Lends a container of the task image; called only when something has to come out of it. */
  readonly withPristine: (use: (pristine: Container) => Promise<void>) => Promise<void>;
  readonly snapshot: Container;
  readonly signal: AbortSignal;
}): Promise<Notice[]> {
  const { plan, snapshot, signal } = input;
  const away = [...plan.remove.map(removed), ...plan.uninstall.flatMap(uninstalled)];
  if (away.length > 0) await snapshot.put(() => packTar(away), '/', signal);
  if (plan.restore.length > 0) {
    await input.withPristine((pristine) =>
      snapshot.put(() => packTar(pristineEntries(pristine, plan.restore, signal)), '/', signal),
    );
  }
  return [
    ...noticeOf('restored', 'files of the image that had changed were put back', plan.restore),
    ...noticeOf('hidden', 'of these, the engine’s list of changes says nothing', plan.hidden),
    ...noticeOf('removed', 'start-up files or stand-ins for programs were taken away', plan.remove),
    ...noticeOf('uninstalled', 'Python distributions of test tools were taken away', plan.uninstall),
    ...noticeOf('emptied', 'the agent had written into folders of the verifier', plan.intruded),
  ];
}

/**
 * Nothing can be deleted from a container that does not run. A link to nowhere is as good: it is not found, not read and not
 * run, and whoever writes to the path gets a file there. Its target has a name that nobody can have foreseen.
 */
export function removed(path: string): TarEntry {
  const target = `.removed-${randomBytes(12).toString('hex')}`;
  return { path: path.slice(1), kind: 'link', mode: 0o777, ...ROOT, target };
}

/** An empty folder is no package and no metadata to Python, and installers write into it. It comes after a file that takes its place. */
function uninstalled(path: string): TarEntry[] {
  if (/\.(py|so|pth|egg-link)$/.test(path)) return [removed(path)];
  return [removed(path), { path: path.slice(1), kind: 'folder', mode: 0o755, ...ROOT }];
}

async function* pristineEntries(
  pristine: Container,
  paths: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<TarEntry> {
  const missing = new Set(paths);
  if (paths.length > SINGLE_FILES) yield* fromWholeImage(pristine, missing, signal);
  // What the whole image has as a second name of another file comes singly, with its bytes.
  for (const path of missing) yield* single(pristine, path, signal);
}

/** Takes out of `missing` what it yields. */
async function* fromWholeImage(
  pristine: Container,
  missing: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<TarEntry> {
  for await (const entry of readTar(await pristine.export(signal))) {
    const path = posix.join('/', entry.path);
    const copied = missing.has(path) ? copiedTo(path, entry) : undefined;
    if (copied === undefined) continue;
    missing.delete(path);
    yield copied;
    if (missing.size === 0) return;
  }
}

async function* single(pristine: Container, path: string, signal: AbortSignal): AsyncGenerator<TarEntry> {
  const tar = await pristine.get(path, signal);
  if (tar === undefined) return;
  for await (const entry of readTar(tar)) {
    if (posix.join(posix.dirname(path), entry.path) !== path) continue;
    const copied = copiedTo(path, entry);
    if (copied !== undefined) yield copied;
  }
}

function copiedTo(path: string, entry: ReadEntry): TarEntry | undefined {
  const shared = { path: path.slice(1), mode: entry.mode, uid: entry.uid, gid: entry.gid };
  if (entry.kind === 'folder') return { ...shared, kind: 'folder' };
  if (entry.kind === 'link') return { ...shared, kind: 'link', target: entry.target ?? '' };
  if (entry.kind !== 'file') return undefined;
  return { ...shared, kind: 'file', content: { stream: entry.content, size: entry.size } };
}

function noticeOf(code: string, what: string, paths: readonly string[]): Notice[] {
  if (paths.length === 0) return [];
  const more =
    paths.length > NAMED_PATHS ? ` (${paths.length} paths, the first ${NAMED_PATHS} are named)` : '';
  return [{ code, detail: `${what}${more}`, paths: paths.slice(0, NAMED_PATHS) }];
}
