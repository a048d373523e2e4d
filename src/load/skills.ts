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
import { isFile, isFolder, readText } from './read-text.ts';

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
async function bundleRoot(dir: string): Promise<{ problem?: Problem; isLink?: boolean }> {
  const found = await lstat(dir).catch(() => undefined);
  if (found === undefined) {
    const message = 'there is no such folder';
    return { problem: { severity: 'error', message, where: { file: dir }, repair: 'correct its path' } };
  }
  if (found.isDirectory()) return {};
  const end = found.isSymbolicLink() ? await followLink(dirname(dir), dir) : undefined;
  if (end?.kind === 'inside' && (await lstat(end.path)).isDirectory()) return {};
  const message =
    end === undefined ? 'a Skill must be a folder' : 'the link leads out of the folder that it stands in';
  const problem: Problem = {
    ...{ severity: 'error', message, where: { file: dir } },
    repair: 'put the folder itself there',
  };
  return { problem, isLink: found.isSymbolicLink() };
}

function noSkillFile(dir: string, entries: readonly BundleEntry[]): SkillProblem {
  const near = entries.find(({ path, kind }) => kind === 'file' && isMisspelt(path))?.path;
  if (near !== undefined) return misspelt(dir, near);
  const nested = entries.find(({ path }) => path.endsWith('/SKILL.md'))?.path;
  return {
    severity: 'error',
    rule: 'skill-file',
    message: 'the folder has no SKILL.md',
    where: { file: dir },
    repair:
      nested === undefined
        ? 'write SKILL.md in that folder'
        : `move the files of ${dirname(nested)} up to the folder itself`,
  };
}

/** Whether a file's name is that of a Skill's own file, rightly spelt or not. */
export function isSkillFile(name: string): boolean {
  return name.toLowerCase() === 'skill.md';
}

function isMisspelt(name: string): boolean {
  return name !== 'SKILL.md' && isSkillFile(name);
}

function misspelt(dir: string, name: string): SkillProblem {
  return {
    severity: 'error',
    rule: 'skill-file-case',
    message: `a Skill's file is called SKILL.md, and ${name} is not read`,
    where: { file: join(dir, name) },
    repair: `rename ${name} to SKILL.md`,
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
  return (await lookIntoLibrary(dir)).bundles;
}

/** What stands in a folder of Skills, each sorted by bytes. */
export interface LibraryContents {
  readonly bundles: string[];
  /** Folders whose SKILL.md is spelt otherwise, and links that cannot be followed: meant as Skills, and none. */
  readonly spoilt: string[];
  /** Folders without any such file. */
  readonly others: string[];
}

/** Sorts what stands in a folder; hidden folders are passed over unless they are Skills. */
export async function lookIntoLibrary(dir: string): Promise<LibraryContents> {
  const found: LibraryContents = { bundles: [], spoilt: [], others: [] };
  for (const name of await entriesOf(dir)) {
    const kind = await kindIn(dir, name);
    if (kind !== undefined) found[kind].push(name);
  }
  for (const names of Object.values(found))
    names.sort((a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return found;
}

async function kindIn(dir: string, name: string): Promise<keyof LibraryContents | undefined> {
  const path = join(dir, name);
  // A link out of the folder is not looked into here; whoever reads the bundle, or the loose files, refuses it by name.
  const root = await bundleRoot(path);
  if (root.problem !== undefined) return root.isLink === true && !(await isFile(path)) ? 'spoilt' : undefined;
  const inside = await entriesOf(path);
  if (inside.includes('SKILL.md')) return 'bundles';
  if (inside.some(isMisspelt)) return 'spoilt';
  return name.startsWith('.') ? undefined : 'others';
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
      const near = files.find((entry) => isMisspelt(entry.path.slice(path.length + 1)));
      // Its files would travel, and a program that looks for it in any case would list a Skill that nobody counts.
      if (near !== undefined) return misspelt(join(dir, path), basename(near.path));
      const message = `"${path}" has no SKILL.md: it is no Skill, and its files travel with the others`;
      return { severity: 'warning', message, where, repair: 'write its SKILL.md, or remove the folder' };
    });
}
