import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestBytes } from '../base/digest.ts';
import { fileDigest } from '../base/file-digest.ts';
import { COMMAND } from '../model/command.ts';
import { contentPointer, LONGEST_POINTER } from '../model/content-pointer.ts';
import { type ImportedFile, ImportManifest } from '../model/import-manifest.ts';
import type { Problem } from '../model/problem.ts';
import { isFile } from './read-text.ts';
import { IMPORT_FILE, listTaskParts, type TaskEntry } from './task-parts.ts';
import { readYamlFile } from './yaml-file.ts';

/** Told one by one; the rest is counted. */
const MOST_TOLD = 10;

/** What of an imported task is missing, changed or added since it came in: warnings. None for a task that was not imported. */
export async function checkImport(dir: string): Promise<Problem[]> {
  const path = join(dir, IMPORT_FILE);
  if (!(await isFile(path))) return [];
  const read = await readYamlFile(path, ImportManifest);
  if (!read.ok) return read.error;
  const manifest = read.value.value;
  const expected = new Map(manifest.files.map((file) => [file.path, file]));
  const tops = new Set(manifest.files.map((file) => file.path.split('/')[0] ?? ''));
  const { entries } = await listTaskParts(dir, tops);
  const found = new Map(entries.filter(({ kind }) => kind !== 'folder').map((entry) => [entry.path, entry]));
  const told: Told[] = [];
  for (const file of manifest.files) told.push(...(await compared(file, found.get(file.path))));
  for (const entry of found.values())
    if (!expected.has(entry.path))
      told.push({ path: entry.path, why: 'was added since the task was imported' });
  return problemsOf(told, dir, manifest);
}

interface Told {
  readonly path: string;
  readonly why: string;
  /** What else than importing again helps. */
  readonly repair?: string;
}

async function compared(file: ImportedFile, entry: TaskEntry | undefined): Promise<Told[]> {
  const { path } = file;
  if (file.absent !== undefined) return (await isThereNow(file, entry)) ? [] : [absentStill(file, entry)];
  if (entry === undefined) return [{ path, why: 'is missing: it came in with the import' }];
  if (entry.kind !== file.kind) return [{ path, why: `is a ${entry.kind} now: a ${file.kind} was imported` }];
  if ((await digestOf(entry)) !== file.digest) return [{ path, why: 'was changed since it was imported' }];
  return runBitChanged(file, entry);
}

function runBitChanged(
  { path, kind, executable = false }: ImportedFile,
  { isExecutable }: TaskEntry,
): Told[] {
  if (kind === 'link' || isExecutable === executable) return [];
  return isExecutable
    ? [{ path, why: 'got a run bit since it was imported', repair: `chmod -x ${path}` }]
    : [{ path, why: 'lost its run bit since it was imported', repair: `chmod +x ${path}` }];
}

async function digestOf({ kind, hostPath, target = '' }: TaskEntry): Promise<string> {
  return kind === 'link' ? digestBytes(target) : fileDigest(hostPath);
}

/** Somebody may have put the content in its place since. Where nothing tells what it should be, any content will do. */
async function isThereNow(file: ImportedFile, entry: TaskEntry | undefined): Promise<boolean> {
  if (entry === undefined || entry.kind !== 'file') return false;
  if (file.digest !== undefined) return (await fileDigest(entry.hostPath)) === file.digest;
  if (file.object !== undefined)
    return (await objectName(entry.hostPath, file.object.length)) === file.object;
  return entry.size > LONGEST_POINTER || contentPointer(await readFile(entry.hostPath, 'utf8')) === undefined;
}

/** As git names content; by the length of the names in use there. */
async function objectName(path: string, digits: number): Promise<string> {
  const bytes = await readFile(path);
  return createHash(digits === 40 ? 'sha1' : 'sha256')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

function absentStill({ path, absent, size, object }: ImportedFile, entry: TaskEntry | undefined): Told {
  const what = size === undefined ? 'its content' : `its content (${size} bytes)`;
  const why =
    absent === 'git-object'
      ? `had no content in the repository that it was imported from (object ${object})`
      : `is kept by ${absent === 'lfs-pointer' ? 'Git LFS' : 'git-annex'}, and ${what} did not come in`;
  return {
    path,
    why: `${why}${entry?.kind === 'file' && absent === 'git-object' ? '; what is there now is something else' : ''}`,
    repair: 'put the content there; it is checked against what the source says of it',
  };
}

function problemsOf(told: readonly Told[], dir: string, { source }: ImportManifest): Problem[] {
  const from = source.kind === 'git' ? `${source.repository} at ${source.commit.slice(0, 12)}` : source.path;
  const again = `import it again from ${from} with ${COMMAND} task import --replace, or remove ${IMPORT_FILE} if the task is yours now`;
  const problems = told.slice(0, MOST_TOLD).map(
    ({ path, why, repair }): Problem => ({
      severity: 'warning',
      message: `${path} ${why}`,
      where: { file: join(dir, path) },
      repair: repair ?? again,
    }),
  );
  if (told.length <= MOST_TOLD) return problems;
  const message = `${told.length - MOST_TOLD} more files differ from what was imported`;
  return [
    ...problems,
    { severity: 'warning', message, where: { file: join(dir, IMPORT_FILE) }, repair: again },
  ];
}
