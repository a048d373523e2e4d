import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Where a link leads: to something inside its folder, or why it may not be followed. */
export type LinkEnd =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'escapes' | 'dangles' | 'loops'; readonly target: string };

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40;

/**
 * Follows a link, part by part, without ever looking outside `root` (a real path): a target there is named, not read.
 * An absolute target escapes even when it leads back, since the folder will stand elsewhere.
 */
export async function followLink(root: string, link: string): Promise<LinkEnd> {
  let links = 0;
  const first = await readlink(link);
  let here = dirname(link);
  const left = parts(first);
  if (isAbsolute(first)) return { kind: 'escapes', target: first };
  while (left.length > 0) {
    const next = join(here, left.shift() ?? '.');
    if (!isWithin(root, next)) return { kind: 'escapes', target: first };
    const target = await targetOf(next);
    if (target === 'absent') return { kind: 'dangles', target: first };
    if (target === undefined) {
      here = next;
      continue;
    }
    if (isAbsolute(target)) return { kind: 'escapes', target: first };
    links += 1;
    if (links >= MOST_LINKS) return { kind: 'loops', target: first };
    left.unshift(...parts(target));
  }
  return { kind: 'inside', path: here };
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

async function targetOf(path: string): Promise<string | 'absent' | undefined> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    throw error;
  }
}
