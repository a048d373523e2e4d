import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestBytes } from '../base/digest.ts';
import { inBatches } from '../base/in-batches.ts';
import type { Skill } from '../model/skill.ts';
import type { ContentFile, SkillContent, TaskContent } from '../model/task-content.ts';
import { byPathBytes, fileDigest } from './digest.ts';

/** Larger files are data: nobody reads them as text. */
const LARGEST_TEXT = 512 * 1024;
/** Files open at a time. */
const AT_ONCE = 16;

/** What there is to be read of a task, whether or not it can be run. */
export interface ContentSource {
  readonly subject: string;
  readonly dir: string;
  readonly instruction: string;
  readonly skills: readonly { readonly skill: Skill; readonly body: string }[];
}

/** Reads a task folder's tests, solution, build context and Skills for checks; what cannot be read is left out. */
export async function readTaskContent(source: ContentSource): Promise<TaskContent> {
  const { dir, subject, instruction } = source;
  const repositories: string[] = [];
  const area = async (name: string, skip: ReadonlySet<string> = new Set()) => {
    const walk: Walk = { dir, skip, paths: [], repositories };
    await collect(walk, name);
    return readAll(walk.paths.map((path) => ({ path, hostPath: join(dir, path) })));
  };
  return {
    subject,
    dir,
    instruction,
    tests: await area('tests'),
    solution: await area('solution'),
    context: await area('environment', new Set(['environment/skills'])),
    repositories,
    skills: await inBatches(source.skills, 1, readSkill),
  };
}

async function readSkill({ skill, body }: { skill: Skill; body: string }): Promise<SkillContent> {
  return { skill, body, files: await readAll(skill.entries.filter(({ kind }) => kind === 'file')) };
}

interface Walk {
  readonly dir: string;
  readonly skip: ReadonlySet<string>;
  readonly paths: string[];
  readonly repositories: string[];
}

async function collect(walk: Walk, folder: string): Promise<void> {
  const found = await readdir(join(walk.dir, folder), { withFileTypes: true }).catch(() => []);
  // Also a bare one, which has another name.
  const isRepository =
    folder.endsWith('/.git') ||
    ['HEAD', 'objects', 'refs'].every((name) => found.some((item) => item.name === name));
  if (isRepository) {
    walk.repositories.push(folder);
    return;
  }
  for (const item of found) {
    const path = `${folder}/${item.name}`;
    if (walk.skip.has(path)) continue;
    if (item.isDirectory()) await collect(walk, path);
    else if (item.isFile()) walk.paths.push(path);
  }
}

type Named = Pick<ContentFile, 'path' | 'hostPath'>;

async function readAll(named: readonly Named[]): Promise<ContentFile[]> {
  const files = await inBatches(named, AT_ONCE, readOne);
  return files.filter((file) => file !== undefined).toSorted(byPathBytes);
}

/** The digest is that of load/digest.ts; small files give their text from the same bytes. */
async function readOne({ path, hostPath }: Named): Promise<ContentFile | undefined> {
  try {
    const { size } = await lstat(hostPath);
    if (size > LARGEST_TEXT) return { path, hostPath, size, digest: await fileDigest(hostPath) };
    const bytes = await readFile(hostPath);
    const text = textOf(bytes);
    return { path, hostPath, size, digest: digestBytes(bytes), ...(text === undefined ? {} : { text }) };
  } catch {
    return undefined; // Told by the loader or by the look at the build context, which need the file.
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
