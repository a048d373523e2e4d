import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fileDigest } from '../base/file-digest.ts';
import type { Problem } from '../model/problem.ts';
import type { BundleEntry } from '../model/skill.ts';
import { byPathBytes } from './digest.ts';
import type { DigestOf } from './file-contents.ts';
import { followLink } from './inner-link.ts';

/** More than any real Skill has; also what stops folders linked into one another from unfolding without end. */
const MOST_ENTRIES = 5_000;
const MOST_BYTES = 512 * 1024 * 1024;
/** What Linux file systems take as one name. */
const MOST_NAME_BYTES = 255;

/** A bundle folder as it will stand in a container. With an error among the problems the entries are not complete. */
export interface LoadedBundle {
  /** Sorted by path bytes; the folder itself is not among them. */
  readonly entries: readonly BundleEntry[];
  readonly problems: readonly Problem[];
}

/**
 * Reads a bundle folder. Links inside it become the files they lead to; links that escape, dangle or loop, FIFOs,
 * sockets and devices are errors by name, and their targets are never read. `skip` leaves out top-level names.
 */
export async function loadBundle(
  dir: string,
  {
    skip = new Set(),
    digestOf = fileDigest,
  }: { skip?: ReadonlySet<string>; digestOf?: DigestOf | undefined } = {},
): Promise<LoadedBundle> {
  const walk = new BundleWalk(await realpath(dir), dir, digestOf);
  await walk.folder({ path: '', real: walk.root, within: [] }, skip);
  const entries = walk.entries.toSorted(byPathBytes);
  return { entries, problems: [...walk.problems, ...collisions(entries, dir)] };
}

interface Folder {
  /** Path in the bundle; empty for the bundle itself. */
  readonly path: string;
  /** Where it is on the host. */
  readonly real: string;
  /** Real paths of the folders it stands in, to find a link that leads back up. */
  readonly within: readonly string[];
}

class BundleWalk {
  readonly root: string;
  readonly entries: BundleEntry[] = [];
  readonly problems: Problem[] = [];
  readonly #shownDir: string;
  readonly #digestOf: DigestOf;
  #bytes = 0;

  constructor(root: string, shownDir: string, digestOf: DigestOf) {
    this.root = root;
    this.#shownDir = shownDir;
    this.#digestOf = digestOf;
  }

  async folder(folder: Folder, skip: ReadonlySet<string>): Promise<void> {
    for (const item of await readdir(folder.real, { encoding: 'buffer', withFileTypes: true })) {
      const name = this.#nameOf(item, folder.path);
      if (name === undefined || skip.has(name)) continue;
      const path = folder.path === '' ? name : `${folder.path}/${name}`;
      await this.#take(path, join(folder.real, name), [...folder.within, folder.real]);
      if (this.#isFull()) return;
    }
  }

  async #take(path: string, host: string, within: readonly string[]): Promise<void> {
    const found = await lstat(host);
    if (!found.isSymbolicLink()) return this.#takeTarget({ path, real: host, within }, found);
    const end = await followLink(this.root, host);
    if (end.kind === 'inside') {
      return this.#takeTarget({ path, real: end.path, within }, await lstat(end.path));
    }
    const why = {
      escapes: `leads out of the Skill, to ${end.target}`,
      dangles: `leads to ${end.target}, which is not there`,
      loops: 'leads to itself',
    }[end.kind];
    this.#reject(path, `the link ${why}`, 'put the file itself there, or link to a file inside the Skill');
  }

  async #takeTarget(target: Folder, found: Stats): Promise<void> {
    if (found.isDirectory()) return this.#takeFolder(target);
    if (!found.isFile()) {
      this.#reject(
        target.path,
        `is ${kindOf(found)}, not a file`,
        'remove it: a Skill holds files and folders',
      );
      return;
    }
    const { path, real } = target;
    this.#bytes += found.size;
    if (this.#bytes > MOST_BYTES) return;
    const mode = found.mode & 0o100 ? 0o755 : 0o644;
    try {
      const digest = await this.#digestOf(real, found.size);
      this.entries.push({ path, kind: 'file', mode, size: found.size, digest, hostPath: real });
    } catch (error) {
      this.#reject(path, `cannot be read: ${(error as Error).message}`, 'make the file readable');
    }
  }

  async #takeFolder(folder: Folder): Promise<void> {
    if (folder.within.includes(folder.real)) {
      this.#reject(folder.path, 'the link leads to a folder that holds it: it loops', 'remove the link');
      return;
    }
    this.entries.push({ path: folder.path, kind: 'folder', mode: 0o755, size: 0, hostPath: folder.real });
    await this.folder(folder, new Set());
  }

  #nameOf(item: Dirent<Buffer>, parent: string): string | undefined {
    const fault = nameFault(item.name);
    const name = item.name.toString();
    if (fault === undefined) return name;
    this.#reject(parent === '' ? name : `${parent}/${name}`, fault, 'rename it');
    return undefined;
  }

  /** Says once that the bundle is too large, and ends the walk. */
  #isFull(): boolean {
    if (this.entries.length < MOST_ENTRIES && this.#bytes <= MOST_BYTES) return false;
    const message = `the Skill is too large: at most ${MOST_ENTRIES} entries and ${MOST_BYTES / 2 ** 20} MiB are allowed`;
    const repair = 'keep data in the task, and remove links from folder to folder';
    const where = { file: this.#shownDir };
    if (!this.problems.some((problem) => problem.message === message)) {
      this.problems.push({ severity: 'error', message, where, repair });
    }
    return true;
  }

  #reject(path: string, why: string, repair: string): void {
    const where = { file: join(this.#shownDir, path) };
    this.problems.push({ severity: 'error', message: `"${path}" ${why}`, where, repair });
  }
}

/** Why a name cannot go into a container, or undefined when it can. */
export function nameFault(name: Uint8Array): string | undefined {
  if (name.length > MOST_NAME_BYTES) return `has a name of ${name.length} bytes; at most 255 are allowed`;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(name);
    return undefined;
  } catch {
    return 'has a name that is not UTF-8';
  }
}

function kindOf(found: Stats): string {
  if (found.isFIFO()) return 'a FIFO';
  if (found.isSocket()) return 'a socket';
  return found.isBlockDevice() || found.isCharacterDevice() ? 'a device' : 'something else';
}

/** Paths that are one file where case or Unicode form does not count; the arms would differ between machines. */
export function collisions(entries: readonly { readonly path: string }[], dir: string): Problem[] {
  const seen = new Map<string, string>();
  return entries.flatMap(({ path }): Problem[] => {
    const key = path.normalize('NFC').toLowerCase();
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      const message = `"${path}" and "${earlier}" differ only in case or Unicode form`;
      const repair = 'rename one: on some file systems they are one file';
      return [{ severity: 'warning', message, where: { file: join(dir, path) }, repair }];
    }
    seen.set(key, path);
    return [];
  });
}
