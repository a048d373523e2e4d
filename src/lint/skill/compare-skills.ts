import { canonicalJson } from '../../base/canonical-json.ts';
import type { BundleEntry, Skill } from '../../model/skill.ts';

/** A bundle, and all that its head says. */
export interface ComparedSkill {
  readonly skill: Skill;
  readonly head: Readonly<Record<string, unknown>>;
}

/** One way in which two bundles differ. */
export type SkillDifference =
  | { readonly kind: 'file-added' | 'file-removed'; readonly path: string; readonly size: number }
  | { readonly kind: 'folder-added' | 'folder-removed'; readonly path: string }
  | { readonly kind: 'head-added' | 'head-removed'; readonly path: string; readonly value: string }
  | { readonly kind: 'content-changed'; readonly path: string; readonly bytes: readonly [number, number] }
  | {
      readonly kind: 'mode-changed' | 'kind-changed' | 'head-changed';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    };

/** Differences in the order of paths, those of the head first. Two bundles with one digest have none in their files. */
export function compareSkills(before: ComparedSkill, after: ComparedSkill): readonly SkillDifference[] {
  const [old, young] = [byPath(before.skill), byPath(after.skill)];
  const paths = [...new Set([...old.keys(), ...young.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  return [
    ...headDifferences(before.head, after.head),
    ...paths.flatMap((path) => differencesAt(path, old, young)),
  ];
}

/** Keys in the order of the second head, then those that only the first one has. */
function headDifferences(before: ComparedSkill['head'], after: ComparedSkill['head']): SkillDifference[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return keys.flatMap((key): SkillDifference[] => {
    const [old, young] = [valueText(before, key), valueText(after, key)];
    if (old === young) return [];
    if (old === undefined) return [{ kind: 'head-added', path: key, value: young ?? '' }];
    if (young === undefined) return [{ kind: 'head-removed', path: key, value: old }];
    return [{ kind: 'head-changed', path: key, before: old, after: young }];
  });
}

/** Texts as they are, anything else as JSON; the order of keys in a map says nothing. */
function valueText(head: ComparedSkill['head'], key: string): string | undefined {
  if (!Object.hasOwn(head, key)) return undefined;
  const value = head[key];
  return typeof value === 'string' ? value : canonicalJson(value ?? null);
}

function oneSided({ kind, path, size }: BundleEntry, what: 'added' | 'removed'): SkillDifference {
  return kind === 'file' ? { kind: `file-${what}`, path, size } : { kind: `folder-${what}`, path };
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
  if (young === undefined) return old === undefined ? [] : [oneSided(old, 'removed')];
  if (old === undefined) return [oneSided(young, 'added')];
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
