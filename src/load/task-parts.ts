import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { contentPointer } from '../model/content-pointer.ts';
import type { Problem } from '../model/problem.ts';
import { nameFault } from './bundle.ts';
import { byPathBytes } from './digest.ts';
import { followLink } from './inner-link.ts';

/** In an imported task: what came in, and from where. No part of the task. */
export const IMPORT_FILE = 'skillpair-import.json';
/** Top-level names that make a task, in either format. What else lies there is somebody's notes. */
const PARTS = new Set([
  'task.yaml',
  'task.toml',
  'instruction.md',
  'environment',
  'solution',
  'almost-right',
  'tests',
  'skills',
  'steps',
]);
/** Whoever passes a task on passes its terms on. */
const TERMS = /^(?:LICEN[CS]E|COPYING|NOTICE)(?:[._-].*)?$/i;

/** One thing of a task's folder. Links are not followed. */
export interface TaskEntry {
  /** Relative to the task's folder, `/` between parts. */
  readonly path: string;
  readonly hostPath: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** The owner's run bit. */
  readonly isExecutable: boolean;
  readonly size: number;
  /** Of a link, as written. It leads to something inside the folder, to nothing, or to where git-annex keeps content. */
  readonly target?: string;
}

/** What makes a task, what else lies in its folder, and what of it nobody could take along. */
export interface TaskParts {
  /** Sorted by path bytes. */
  readonly entries: readonly TaskEntry[];
  /** Paths that are no part of it: notes at the top, and any `.git`. */
  readonly leftOut: readonly string[];
  /** Links that lead out of the folder, sockets and the like, names that are not UTF-8: errors. */
  readonly problems: readonly Problem[];
}

/** Lists a task's own files. `also`: further top-level names that count, or all of them. Nothing outside the folder is looked at. */
export async function listTaskParts(dir: string, also: ReadonlySet<string> | 'all'): Promise<TaskParts> {
  const walk = new PartsWalk(await realpath(dir), dir);
  await walk.folder('', (name) => PARTS.has(name) || TERMS.test(name) || also === 'all' || also.has(name));
  return {
    entries: walk.entries.toSorted(byPathBytes),
    leftOut: walk.leftOut.toSorted(),
    problems: walk.problems,
  };
}

class PartsWalk {
  readonly entries: TaskEntry[] = [];
  readonly leftOut: string[] = [];
  readonly problems: Problem[] = [];
  readonly #root: string;
  readonly #shownDir: string;

  constructor(root: string, shownDir: string) {
    this.#root = root;
    this.#shownDir = shownDir;
  }

  async folder(inner: string, isWanted: (name: string) => boolean = () => true): Promise<void> {
    for (const bytes of await readdir(join(this.#root, inner), { encoding: 'buffer' })) {
      const name = bytes.toString();
      const path = inner === '' ? name : `${inner}/${name}`;
      const fault = nameFault(bytes);
      if (fault !== undefined) this.#reject(path, fault, 'rename it');
      else if (path === IMPORT_FILE) continue;
      else if (name.toLowerCase() === '.git' || !isWanted(name)) this.leftOut.push(path);
      else await this.#take(path);
    }
  }

  async #take(path: string): Promise<void> {
    const hostPath = join(this.#root, path);
    const found = await lstat(hostPath);
    const isExecutable = found.isFile() && (found.mode & 0o100) !== 0;
    const common = { path, hostPath, isExecutable, size: found.size };
    if (found.isFile()) this.entries.push({ ...common, kind: 'file' });
    else if (found.isSymbolicLink()) await this.#link(common);
    else if (found.isDirectory()) {
      this.entries.push({ ...common, kind: 'folder' });
      await this.folder(path);
    } else this.#reject(path, 'is neither file, folder nor link', 'remove it');
  }

  async #link(link: Omit<TaskEntry, 'kind' | 'target'>): Promise<void> {
    const target = await readlink(link.hostPath);
    const end = await followLink(this.#root, link.hostPath);
    if (end.kind !== 'escapes' || contentPointer(target) !== undefined)
      this.entries.push({ ...link, kind: 'link', target });
    else this.#reject(link.path, `is a link out of the task, to ${target}`, 'put the file itself there');
  }

  #reject(path: string, why: string, repair: string): void {
    const where = { file: join(this.#shownDir, path) };
    this.problems.push({ severity: 'error', message: `"${path}" ${why}`, where, repair });
  }
}
