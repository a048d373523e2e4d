import { posix } from 'node:path';
import type { TarEntry } from '../engine/archive.ts';
import type { BundleEntry, Skill } from '../model/skill.ts';

/** A container path that is to hold bundles: all of them under their names, or what lies at one sub-path of the Skills folder. */
export interface SkillFolder {
  readonly dir: string;
  /** Relative to the Skills folder; empty: the whole of it. */
  readonly subPath: string;
}

/** Who owns what is injected. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** One injected file or folder: where it stands and which bytes it must have. */
export interface PlacedEntry extends BundleEntry {
  readonly containerPath: string;
}

/** Every bundle file with its place in every folder, sorted by path. Pure. */
export function placeSkills(
  folders: readonly SkillFolder[],
  skills: readonly Skill[],
  loose: readonly BundleEntry[],
): PlacedEntry[] {
  const inSkillsFolder = [
    ...skills.flatMap((skill) => [
      folderEntry(skill.name, skill.dir),
      ...skill.entries.map((entry) => ({ ...entry, path: `${skill.name}/${entry.path}` })),
    ]),
    ...loose,
  ];
  const placed = folders.flatMap(({ dir, subPath }) =>
    inSkillsFolder.flatMap((entry) => {
      const inside = relativeTo(subPath, entry);
      return inside === undefined ? [] : [{ ...entry, containerPath: posix.join(dir, inside) }];
    }),
  );
  return placed.sort((a, b) => (a.containerPath < b.containerPath ? -1 : 1));
}

function folderEntry(path: string, hostPath: string): BundleEntry {
  return { path, kind: 'folder', mode: 0o755, size: 0, hostPath };
}

/** Where an entry lies below a sub-path; the file that is itself the sub-path has no path below it. */
function relativeTo(subPath: string, { path, kind }: BundleEntry): string | undefined {
  if (subPath === '') return path;
  if (path === subPath && kind === 'file') return '';
  return path.startsWith(`${subPath}/`) ? path.slice(subPath.length + 1) : undefined;
}

/**
 * Folders that must be made on the way to the given paths because the image lacks them, outermost first.
 * Folders that exist are left alone: naming them in a tar would change their owner and mode.
 */
export function missingParents(paths: readonly string[], exists: (path: string) => boolean): string[] {
  const missing = new Set<string>();
  for (const path of paths) {
    for (let dir = posix.dirname(path); dir !== '/' && !exists(dir); dir = posix.dirname(dir))
      missing.add(dir);
  }
  return [...missing].sort();
}

/** The tar entries of what is placed, owned by the agent's user. Paths are relative to `/`. */
export function placedTar(
  placed: readonly PlacedEntry[],
  parents: readonly string[],
  owner: Owner,
): TarEntry[] {
  const folders = parents.map(
    (path): TarEntry => ({ path: path.slice(1), kind: 'folder', mode: 0o755, ...owner }),
  );
  const entries = placed.map(
    (entry): TarEntry => ({
      path: entry.containerPath.slice(1),
      kind: entry.kind,
      mode: entry.mode,
      ...owner,
      ...(entry.kind === 'file' ? { content: { hostPath: entry.hostPath, size: entry.size } } : {}),
    }),
  );
  return [...folders, ...entries];
}
