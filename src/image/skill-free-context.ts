import type { ContextEntry } from './context-entries.ts';
import { type ContextPaths, contextPaths } from './copy-sources.ts';
import type { Dockerfile } from './dockerfile.ts';
import type { ResolvedStage } from './resolved-steps.ts';
import { finalTargets, findSkillCopies, type SkillCopy, type SkillTarget } from './skill-copies.ts';
import { deletionLines } from './skill-deletion.ts';
import { skillUse } from './skill-use.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';

/** What is sent to the builder: entries and the Dockerfile's effective text. */
export interface BuildInput {
  readonly entries: readonly ContextEntry[];
  readonly text: string;
}

/** A task's build, read with an eye on its Skills. */
export interface SkillFreeContext {
  /** The context with an empty Skills folder, and copies that work on it. */
  readonly skillFree: BuildInput;
  /** As the task has it, with a last layer that deletes what came from the Skills. */
  readonly deleted: BuildInput;
  /** Why the skill-free way cannot work, where that is known beforehand. */
  readonly skillUse: string | undefined;
  /** Final places of the Skills, had they been copied. */
  readonly skillTargets: readonly SkillTarget[];
  readonly skillCopies: readonly SkillCopy[];
  /** Digests of all files outside the Skills folder: what the task itself brings on purpose. */
  readonly outsideDigests: ReadonlySet<string>;
}

interface Reading {
  readonly dockerfile: Dockerfile;
  readonly stages: readonly ResolvedStage[];
  readonly entries: readonly ContextEntry[];
  /** Context path of the Skills; absent: the context holds none. */
  readonly skillsPath: string | undefined;
  /** Edits of FROM and `--from`, made in both ways. */
  readonly baseEdits: readonly TextEdit[];
}

/** Makes both ways to an image without Skills from one reading of the task. Pure: the same reading gives the same bytes. */
export function skillFreeContext(reading: Reading): SkillFreeContext {
  const { dockerfile, stages, entries, baseEdits } = reading;
  const paths = contextPaths(entries);
  const skillsPath = presentPath(reading.skillsPath, paths);
  const asWritten = { entries, text: applyEdits(dockerfile.text, baseEdits) };
  if (skillsPath === undefined) {
    const outsideDigests = digestsOf(entries);
    const none = { skillUse: undefined, skillTargets: [], skillCopies: [], outsideDigests };
    return { skillFree: asWritten, deleted: asWritten, ...none };
  }
  const copies = findSkillCopies({ stages, context: paths, skillsPath });
  const targets = finalTargets(stages, copies);
  const below = entries.filter(({ path }) => path.startsWith(`${skillsPath}/`));
  const skills = below.map((entry) => ({ ...entry, path: entry.path.slice(skillsPath.length + 1) }));
  const outside = withEmptySkills(entries, skillsPath);
  const last = deletionLines(targets, skills, stages.at(-1)?.user ?? '');
  return {
    skillFree: {
      entries: outside,
      text: applyEdits(dockerfile.text, [...baseEdits, ...copies.flatMap((copy) => copy.edits)]),
    },
    deleted: { entries, text: `${asWritten.text.replace(/\s*$/, '\n')}${last.join('\n')}\n` },
    skillUse: skillUse(stages, copies, topFolders(skills)),
    skillTargets: targets,
    skillCopies: copies,
    outsideDigests: digestsOf(outside),
  };
}

function presentPath(skillsPath: string | undefined, paths: ContextPaths): string | undefined {
  const path = skillsPath?.replace(/^(\.?\/)+|\/+$/g, '');
  return path !== undefined && paths.kinds.has(path) ? path : undefined;
}

/** The Skills folder stays, empty: a COPY of it, or of what it lies in, works and brings nothing. */
function withEmptySkills(entries: readonly ContextEntry[], skillsPath: string): ContextEntry[] {
  const others = entries.filter(({ path }) => path !== skillsPath && !path.startsWith(`${skillsPath}/`));
  const empty: ContextEntry = { path: skillsPath, kind: 'folder', mode: 0o755, size: 0 };
  return [...others, empty].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function topFolders(skills: readonly ContextEntry[]): string[] {
  return skills.filter(({ path, kind }) => kind === 'folder' && !path.includes('/')).map(({ path }) => path);
}

function digestsOf(entries: readonly ContextEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ digest }) => (digest === undefined ? [] : [digest])));
}
