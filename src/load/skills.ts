import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasErrors, type Problem } from '../model/problem.ts';
import type { BundleEntry, Skill } from '../model/skill.ts';
import type { SkillProblem, SkillRule } from '../model/skill-rule.ts';
import { collisions, loadBundle } from './bundle.ts';
import { bundleDigest } from './digest.ts';
import type { DigestOf } from './file-contents.ts';
import { followLink } from './inner-link.ts';
import { parseMarkdownHead } from './markdown-head.ts';
import { isFolder, readText } from './read-text.ts';

/** A Skill that was read, with the text below its head for checks; `skill` is absent when an error stands in the problems. */
export interface LoadedSkill {
  readonly skill?: Skill;
  readonly body: string;
  readonly license?: string;
  /** All that the head says, by key; absent where it could not be read. */
  readonly head?: Readonly<Record<string, unknown>>;
  /** SKILL.md as it stands on disk, where it could be read. */
  readonly text?: string;
  /** Of the bundle; not complete where the problems have an error of it. */
  readonly entries: readonly BundleEntry[];
  readonly problems: readonly SkillProblem[];
}

/** Reads one bundle folder with a SKILL.md in it. */
export async function loadSkill(dir: string, digestOf?: DigestOf): Promise<LoadedSkill> {
  const root = await bundleRoot(dir);
  if (root.problem !== undefined) {
    return { body: '', entries: [], problems: [{ ...root.problem, rule: 'bundle-files' }] };
  }
  const bundle = await loadBundle(dir, { digestOf });
  const { entries } = bundle;
  const found = bundle.problems.map(asBundleProblem);
  const entry = entries.find(({ path }) => path === 'SKILL.md');
  if (entry === undefined) return { body: '', entries, problems: [...found, noSkillFile(dir, entries)] };
  const path = join(dir, 'SKILL.md');
  const text = await readText(entry.hostPath);
  if (!text.ok) {
    const unreadable = { ...text.error, rule: 'skill-file-text' as const };
    return { body: '', entries, problems: [...found, unreadable] };
  }
  const name = basename(dir);
  const head = parseMarkdownHead({ text: text.value, path, folder: name });
  const problems = [...found, ...(head.ok ? head.value.problems : head.error)];
  if (!head.ok) return { body: '', text: text.value, entries, problems };
  const { name: title, description, body, license, keys } = head.value;
  const read = {
    body,
    head: keys,
    ...(license === undefined ? {} : { license }),
    text: text.value,
    entries,
    problems,
  };
  if (hasErrors(problems)) return read;
  const digest = bundleDigest(entries);
  return { skill: { name, title, description, dir, digest, entries: [...entries] }, ...read };
}

function asBundleProblem(problem: Problem): SkillProblem {
  const rule: SkillRule = problem.severity === 'error' ? 'bundle-files' : 'bundle-collision';
  return { ...problem, rule };
}

/** A bundle may be a link, but only to a folder beside it. */
async function bundleRoot(dir: string): Promise<{ problem?: Problem }> {
  const found = await lstat(dir);
  if (found.isDirectory()) return {};
  const end = found.isSymbolicLink() ? await followLink(dirname(dir), dir) : undefined;
  if (end?.kind === 'inside' && (await lstat(end.path)).isDirectory()) return {};
  const message =
    end === undefined ? 'a Skill must be a folder' : 'the link leads out of the folder that it stands in';
  return {
    problem: { severity: 'error', message, where: { file: dir }, repair: 'put the folder itself there' },
  };
}

function noSkillFile(dir: string, entries: readonly BundleEntry[]): SkillProblem {
  const near = entries.find(({ path, kind }) => kind === 'file' && path.toLowerCase() === 'skill.md')?.path;
  const nested = entries.find(({ path }) => path.endsWith('/SKILL.md'))?.path;
  const repair = near === undefined ? 'write SKILL.md in that folder' : `rename ${near} to SKILL.md`;
  return {
    severity: 'error',
    rule: 'skill-file',
    message: 'the folder has no SKILL.md',
    where: { file: dir },
    repair:
      near === undefined && nested !== undefined
        ? `move the files of ${dirname(nested)} up to the folder itself`
        : repair,
  };
}

/** The bundles of a folder of Skills, and what lies beside them. */
export interface SkillFolder {
  /** Names of the bundles, sorted by bytes; `loaded` has the same order. */
  readonly names: readonly string[];
  readonly loaded: readonly LoadedSkill[];
  /** Paths relative to the folder of Skills. */
  readonly loose: readonly BundleEntry[];
  /** Of the folder as a whole and the loose files; each Skill has its own. */
  readonly problems: readonly Problem[];
}

/** Reads all Skills of a task's own folder; one that is not there holds none. What has no SKILL.md is loose: other Skills may refer to it. */
export async function loadSkillFolder(dir: string, digestOf?: DigestOf): Promise<SkillFolder> {
  if (!(await isFolder(dir))) return { names: [], loaded: [], loose: [], problems: [] };
  const root = await bundleRoot(dir);
  if (root.problem !== undefined) return { names: [], loaded: [], loose: [], problems: [root.problem] };
  const names = await bundleNames(dir);
  const loaded: LoadedSkill[] = [];
  for (const name of names) loaded.push(await loadSkill(join(dir, name), digestOf));
  const loose = await loadBundle(dir, { skip: new Set(names), digestOf });
  const problems = [
    ...collisions(
      names.map((path) => ({ path })),
      dir,
    ),
    ...loose.problems,
    ...looseNotices(dir, loose.entries),
  ];
  return { names, loaded, loose: loose.entries, problems };
}

/** Names of the folders (or links to folders) that hold a SKILL.md, sorted by bytes; none when the folder is absent. */
export async function bundleNames(dir: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await entriesOf(dir)) {
    // A link out of the folder is not looked into here; the walk over the loose files refuses it by name.
    const root = await bundleRoot(join(dir, name));
    if (root.problem === undefined && (await entriesOf(join(dir, name))).includes('SKILL.md'))
      names.push(name);
  }
  return names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

async function entriesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(code)) return [];
    throw error;
  }
}

function looseNotices(dir: string, entries: readonly BundleEntry[]): Problem[] {
  return entries
    .filter(({ path }) => !path.includes('/'))
    .map(({ path, kind }): Problem => {
      const where = { file: join(dir, path) };
      if (kind === 'file') {
        return { severity: 'note', message: `"${path}" belongs to no Skill; it travels with them`, where };
      }
      const files = entries.filter((entry) => entry.path.startsWith(`${path}/`));
      const near = files.find((entry) => entry.path.toLowerCase() === `${path.toLowerCase()}/skill.md`);
      const message = `"${path}" has no SKILL.md: it is no Skill, and its files travel with the others`;
      const repair =
        near === undefined ? 'write its SKILL.md, or remove the folder' : `rename ${near.path} to SKILL.md`;
      return { severity: 'warning', message, where, repair };
    });
}
