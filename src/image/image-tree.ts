import { posix } from 'node:path';

/** One path of an image's file system. */
export interface IndexEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  /** `sha256:…` of a file's bytes. */
  readonly digest?: string;
  /** Links only, as written. */
  readonly target?: string;
}

/** A user of the image, as /etc/passwd has it. */
export interface ImageUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** The file system of an image: every path with its content's digest. */
export interface ImageIndex {
  readonly image: string;
  /** By absolute path, without the root itself. */
  readonly entries: ReadonlyMap<string, IndexEntry>;
  readonly users: readonly ImageUser[];
  /** The real path behind a path, links followed inside the image; undefined where nothing is, or in a circle. */
  resolve(path: string): string | undefined;
  /** Names in a folder, sorted; the folder's own links are followed. */
  list(folder: string): readonly string[];
}

const MAX_LINKS = 40;

/** The index over given entries. */
export function makeImageIndex(
  image: string,
  entries: ReadonlyMap<string, IndexEntry>,
  users: readonly ImageUser[],
): ImageIndex {
  const children = childNames(entries);
  const resolve = (path: string) => follow(entries, path);
  return {
    image,
    entries,
    users,
    resolve,
    list: (folder) => {
      const real = resolve(folder);
      return real === undefined ? [] : (children.get(real) ?? []);
    },
  };
}

function childNames(entries: ReadonlyMap<string, IndexEntry>): ReadonlyMap<string, string[]> {
  const children = new Map<string, string[]>();
  for (const path of entries.keys()) {
    const folder = posix.dirname(path);
    const names = children.get(folder);
    if (names === undefined) children.set(folder, [posix.basename(path)]);
    else names.push(posix.basename(path));
  }
  for (const names of children.values()) names.sort();
  return children;
}

/** Part by part, as the kernel does, with its limit on links. */
function follow(entries: ReadonlyMap<string, IndexEntry>, path: string): string | undefined {
  const pending = path.split('/').reverse();
  let at = '/';
  for (let links = 0; pending.length > 0; ) {
    const next = posix.join(at, pending.pop() ?? '').replace(/(?<=.)\/$/, '');
    const entry = entries.get(next);
    if (next !== '/' && entry === undefined) return undefined;
    if (entry?.kind !== 'link') {
      at = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    const target = entry.target ?? '';
    if (target.startsWith('/')) at = '/';
    pending.push(...target.split('/').reverse());
  }
  return at;
}

/** Reads /etc/passwd; lines it cannot read are left out. */
export function parsePasswd(text: string): readonly ImageUser[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = '', , home = ''] = line.split(':');
    if (name === '' || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return [];
    return [{ name, uid: Number(uid), gid: Number(gid), home }];
  });
}
