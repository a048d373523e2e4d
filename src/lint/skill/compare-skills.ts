import type { BundleEntry, Skill } from '../../model/skill.ts';

/** One way in which two bundles differ. */
export type SkillDifference =
  | { readonly kind: 'file-added' | 'file-removed'; readonly path: string }
  | { readonly kind: 'content-changed'; readonly path: string; readonly bytes: readonly [number, number] }
  | {
      readonly kind: 'mode-changed' | 'kind-changed' | 'head-changed';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    };

/** Differences in the order of paths, those of the head first. Two bundles with one digest have none in their files. */
export function compareSkills(before: Skill, after: Skill): readonly SkillDifference[] {
  const [old, young] = [byPath(before), byPath(after)];
  const paths = [...new Set([...old.keys(), ...young.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  return [...headDifferences(before, after), ...paths.flatMap((path) => differencesAt(path, old, young))];
}

function headDifferences(before: Skill, after: Skill): SkillDifference[] {
  const fields = ['title', 'description'] as const;
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      kind: 'head-changed',
      path: field === 'title' ? 'name' : field,
      before: before[field],
      after: after[field],
    }));
}

function byPath({ entries }: Skill): ReadonlyMap<string, BundleEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

function differencesAt(
  path: string,
  before: ReadonlyMap<string, BundleEntry>,
  after: ReadonlyMap<string, BundleEntry>,
): SkillDifference[] {
  const [old, young] = [before.get(path), after.get(path)];
  if (old === undefined) return [{ kind: 'file-added', path }];
  if (young === undefined) return [{ kind: 'file-removed', path }];
  if (old.kind !== young.kind) return [{ kind: 'kind-changed', path, before: old.kind, after: young.kind }];
  const found: SkillDifference[] = [];
  if (old.digest !== young.digest)
    found.push({ kind: 'content-changed', path, bytes: [old.size, young.size] });
  if (old.mode !== young.mode) {
    const [was, is] = [old.mode.toString(8), young.mode.toString(8)];
    found.push({ kind: 'mode-changed', path, before: was, after: is });
  }
  return found;
}
