import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestBytes } from '../../base/digest.ts';
import { fileDigest } from '../../base/file-digest.ts';
import { isDead, thisProcess } from '../../base/lock-file.ts';
import { isFolder } from '../../load/read-text.ts';
import { IMPORT_FILE, type TaskEntry } from '../../load/task-parts.ts';
import { contentPointer, LONGEST_POINTER } from '../../model/content-pointer.ts';
import type { ImportedFile, ImportManifest } from '../../model/import-manifest.ts';

/** Begins the names of folders that are being filled, followed by the process. */
const STAGING = '.import-';
/** Stands before the name of a task that is being replaced. */
const OLD = '-old-';

/**
 * Writes a task's folder whole or not at all: beside its place first, then renamed. What stands in its place is replaced then, and put
 * back where that fails. Rejects with the file system's error. The manifest is that of the bytes that were written.
 */
export async function copyTask(from: {
  readonly entries: readonly TaskEntry[];
  readonly to: string;
  /** Listed, and not there to be copied. */
  readonly absent: readonly ImportedFile[];
  readonly manifest: Omit<ImportManifest, 'files'>;
}): Promise<ImportManifest> {
  const beside = join(dirname(from.to), `${STAGING}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(beside, { recursive: true });
    const files: ImportedFile[] = [...from.absent];
    for (const entry of from.entries) files.push(...(await copied(entry, join(beside, entry.path))));
    const manifest = { ...from.manifest, files: files.toSorted(byPath) };
    await writeFile(join(beside, IMPORT_FILE), `${JSON.stringify(manifest, undefined, 1)}\n`);
    await replace(beside, from.to);
    return manifest;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

async function copied(entry: TaskEntry, to: string): Promise<ImportedFile[]> {
  const { path, kind, hostPath, size, isExecutable, target = '' } = entry;
  if (kind === 'folder') {
    await mkdir(to, { recursive: true });
    return [];
  }
  if (kind === 'link') {
    const absent = absentContent(target);
    if (absent !== undefined) return [{ path, kind: 'file', ...absent }];
    await symlink(target, to);
    return [{ path, kind, digest: digestBytes(target) }];
  }
  await copyFile(hostPath, to);
  await chmod(to, isExecutable ? 0o755 : 0o644);
  const absent = size > LONGEST_POINTER ? undefined : absentContent(await readFile(to, 'utf8'));
  const content = absent ?? { size, digest: await fileDigest(to) };
  return [{ path, kind, ...(isExecutable ? { executable: true } : {}), ...content }];
}

/** The files that hold a pointer in the place of their content. */
export async function pointersIn(entries: readonly TaskEntry[]): Promise<ImportedFile[]> {
  const found: ImportedFile[] = [];
  for (const { path, kind, size, target, hostPath } of entries) {
    if (kind === 'folder' || size > LONGEST_POINTER) continue;
    const absent = absentContent(target ?? (await readFile(hostPath, 'utf8')));
    if (absent !== undefined) found.push({ path, kind: 'file', ...absent });
  }
  return found;
}

function absentContent(text: string): Pick<ImportedFile, 'absent' | 'size' | 'digest'> | undefined {
  const pointer = contentPointer(text);
  if (pointer === undefined) return undefined;
  const { by, ...told } = pointer;
  return { absent: by === 'Git LFS' ? 'lfs-pointer' : 'annex-pointer', ...told };
}

async function replace(beside: string, to: string): Promise<void> {
  const old = join(dirname(to), `${STAGING}${process.pid}${OLD}${basename(to)}`);
  const isThere = await rename(to, old).then(
    () => true,
    () => false,
  );
  try {
    await rename(beside, to);
  } catch (error) {
    if (isThere) await rename(old, to);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}

/** Removes what imports that were killed had begun in a folder; a task that one of them was about to replace is put back. */
export async function sweepStaging(into: string): Promise<void> {
  for (const name of await readdir(into).catch((): string[] => [])) {
    const [, pid, old] = /^\.import-(\d+)(?:-old-(.+)|-[0-9a-f]+)$/.exec(name) ?? [];
    if (pid === undefined || !isDead({ ...thisProcess(), pid: Number(pid) })) continue;
    if (old !== undefined && !(await isFolder(join(into, old))))
      await rename(join(into, name), join(into, old));
    else await rm(join(into, name), { recursive: true, force: true });
  }
}
