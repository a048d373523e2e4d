import { posix } from 'node:path';
import type { ContextEntry } from './context-entries.ts';
import type { SkillTarget } from './skill-copies.ts';

/** Keeps one RUN below the kernel's limit for a command line, with much room. */
const MAX_PATHS = 400;

/**
 * Dockerfile lines that remove from an image what its Skills brought, entry by entry, and leave all else.
 * A bundle (a folder with SKILL.md) goes whole, with what build steps made inside it; other entries go one by one,
 * and a folder only once it is empty. `skills` are the entries below the Skills folder; `user` is the image's own.
 */
export function deletionLines(
  targets: readonly SkillTarget[],
  skills: readonly ContextEntry[],
  user: string,
): readonly string[] {
  const bundles = bundleFolders(skills);
  const removals = targets.map((target) => removalsOf(target, skills, bundles));
  const whole = unique(removals.flatMap((each) => each.whole));
  const ifEmpty = unique(removals.flatMap((each) => each.ifEmpty)).sort((a, b) => b.length - a.length);
  const lines = [
    ...chunks(whole).map((paths) => `RUN ${JSON.stringify(['rm', '-rf', '--', ...paths])}`),
    ...chunks(ifEmpty).map((paths) => `RUN ${JSON.stringify(['sh', '-c', REMOVE_EMPTY, 'sh', ...paths])}`),
  ];
  if (lines.length === 0) return [];
  const isRoot = user === '' || user === 'root' || user === '0';
  return ['USER root', ...lines, ...(isRoot ? [] : [`USER ${user}`])];
}

const REMOVE_EMPTY = 'for folder; do rmdir -- "$folder" 2>/dev/null; done; true';

/** Paths, below the Skills folder, of the folders that hold a SKILL.md. */
function bundleFolders(skills: readonly ContextEntry[]): ReadonlySet<string> {
  return new Set(
    skills
      .filter(({ path, kind }) => kind !== 'folder' && /^skill\.md$/i.test(posix.basename(path)))
      .map(({ path }) => posix.dirname(path)),
  );
}

interface Removals {
  readonly whole: readonly string[];
  readonly ifEmpty: readonly string[];
}

function removalsOf(
  target: SkillTarget,
  skills: readonly ContextEntry[],
  bundles: ReadonlySet<string>,
): Removals {
  const { containerPath, source, kind } = target;
  if (kind === 'file') return { whole: [containerPath], ifEmpty: [] };
  // A bundle copied to a folder of its own name: the folder is the bundle.
  if (bundles.has(source) && posix.basename(containerPath) === posix.basename(source))
    return { whole: [containerPath], ifEmpty: [] };
  const whole = new Set<string>();
  const ifEmpty: string[] = [];
  const prefix = source === '' ? '' : `${source}/`;
  for (const entry of skills.filter(({ path }) => path.startsWith(prefix))) {
    const at = (path: string) => posix.join(containerPath, path.slice(prefix.length));
    const bundle = outermostBundle(entry.path, prefix, bundles);
    if (bundle !== undefined) whole.add(at(bundle));
    else if (entry.kind === 'folder') ifEmpty.push(at(entry.path));
    else whole.add(at(entry.path));
  }
  return { whole: [...whole], ifEmpty };
}

function outermostBundle(path: string, prefix: string, bundles: ReadonlySet<string>): string | undefined {
  const parts = path.slice(prefix.length).split('/');
  const folders = parts.map((_, index) => prefix + parts.slice(0, index + 1).join('/'));
  return folders.find((folder) => bundles.has(folder));
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}

function chunks(paths: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < paths.length; at += MAX_PATHS) parts.push(paths.slice(at, at + MAX_PATHS));
  return parts;
}
