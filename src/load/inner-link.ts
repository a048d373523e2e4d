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
  const target = await readlink(link);
  const way = { here: dirname(link), left: parts(target), links: 1 };
  if (isAbsolute(target)) return { kind: 'escapes', target };
  while (way.left.length > 0) {
    const stop = await goOn(root, way);
    if (stop !== undefined) return { kind: stop, target };
  }
  return { kind: 'inside', path: way.here };
}

interface Way {
  here: string;
  readonly left: string[];
  links: number;
}

/** Goes one part further, through a link if there is one; or says why the way ends. */
async function goOn(root: string, way: Way): Promise<'escapes' | 'dangles' | 'loops' | undefined> {
  const next = join(way.here, way.left.shift() ?? '.');
  if (!isWithin(root, next)) return 'escapes';
  const target = await targetOf(next);
  if (target === 'absent') return 'dangles';
  if (target === undefined) {
    way.here = next;
    return undefined;
  }
  if (isAbsolute(target.path)) return 'escapes';
  way.links += 1;
  way.left.unshift(...parts(target.path));
  return way.links > MOST_LINKS ? 'loops' : undefined;
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

async function targetOf(path: string): Promise<{ path: string } | 'absent' | undefined> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? { path: await readlink(path) } : undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    throw error;
  }
}
